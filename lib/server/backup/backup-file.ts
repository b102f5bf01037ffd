import { createHash, randomBytes } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import * as fs from "node:fs/promises"
import path from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import { z } from "zod"

/**
 * A backup is a gzip stream that ends with the SHA-256 of all bytes before it. The stream has one JSON object per line. After
 * the line of a table come its rows in PostgreSQL's text format, up to a line with `\.`. It begins with a `BackupHeader`.
 */
const FORMAT = "svcd-backup"
const VERSION = 1
const CHECKSUM_BYTES = 32
const GZIP_LEVEL = 3

const HeaderLine = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  taken_at: z.string(),
  schema: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  functions: z.number(),
  auth_secret: z.string().nullable(),
})

export interface BackupHeader {
  /** ISO time of the snapshot. */
  takenAt: string
  /** The newest migration. */
  schema: string
  migrations: { name: string; checksum: string }[]
  /** The version of the SQL functions. */
  functions: number
  /** The generated secret of `DATA_DIR`; null when there is none. */
  authSecret: string | null
}

/** A backup cannot be created or restored. The message is one line. Nothing was changed. */
export class BackupRefused extends Error {}

export interface WrittenFile {
  bytes: number
  /** The SHA-256 of the whole file, in hexadecimal digits. */
  sha256: string
}

export const jsonLine = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

export const headerLine = ({ takenAt, schema, migrations, functions, authSecret }: BackupHeader): Buffer =>
  jsonLine({
    format: FORMAT,
    version: VERSION,
    taken_at: takenAt,
    schema,
    migrations,
    functions,
    auth_secret: authSecret,
  } satisfies z.input<typeof HeaderLine>)

async function refuseExisting(file: string): Promise<void> {
  const found = await fs.lstat(file).catch(() => null)
  if (found) throw new BackupRefused(`${file} exists already`)
}

const draftOf = (file: string): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString("hex")}.part`)

/** A process still writes to any draft that changed within this time. */
const LEFT_MS = 600_000

/** Removes the drafts that killed processes left in a folder, of backups with matching names. */
export async function removeDrafts(dir: string, names: RegExp): Promise<void> {
  for (const entry of await fs.readdir(dir)) {
    const name = /^\.(.+)\.[0-9a-f]{12}\.part$/.exec(entry)?.[1]
    const draft = path.join(dir, entry)
    if (name === undefined || !names.test(name)) continue
    const { mtimeMs } = await fs.stat(draft)
    if (Date.now() - mtimeMs > LEFT_MS) await fs.rm(draft, { force: true })
  }
}

/**
 * Writes a backup with this content to a new file that only its owner may read. The file appears complete or not at all. Throws
 * `BackupRefused` when it exists.
 */
export async function writeBackupFile(file: string, content: AsyncIterable<Buffer>): Promise<WrittenFile> {
  await refuseExisting(file)
  const draft = draftOf(file)
  const inner = createHash("sha256")
  const whole = createHash("sha256")
  let bytes = CHECKSUM_BYTES
  const seal = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      inner.update(chunk)
      whole.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
    flush(done) {
      const checksum = inner.digest()
      whole.update(checksum)
      done(null, checksum)
    },
  })
  try {
    const output = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true })
    await pipeline(Readable.from(content, { objectMode: false }), createGzip({ level: GZIP_LEVEL }), seal, output)
    // Unlike a rename, a link never replaces a file that appeared meanwhile.
    await fs.link(draft, file).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === "EEXIST" ? new BackupRefused(`${file} exists already`) : cause
    })
  } finally {
    await fs.rm(draft, { force: true })
  }
  return { bytes, sha256: whole.digest("hex") }
}

/** Throws `BackupRefused` unless the file ends with the checksum of all bytes before it. */
export async function verifyBackupFile(file: string): Promise<void> {
  const stat = await fs.stat(file).catch(() => null)
  if (!stat?.isFile()) throw new BackupRefused(`${file} is not a file`)
  const contentBytes = stat.size - CHECKSUM_BYTES
  if (contentBytes <= 0) throw new BackupRefused(`${file} is not a backup`)
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(file, { end: contentBytes - 1 })) hash.update(chunk)
  const stored: Buffer[] = []
  for await (const chunk of createReadStream(file, { start: contentBytes })) stored.push(chunk)
  if (!hash.digest().equals(Buffer.concat(stored)))
    throw new BackupRefused(`${file} is damaged, incomplete or not a backup: its checksum is wrong`)
}

const NEWLINE = 0x0a
const END_OF_ROWS = Buffer.from("\\.\n")

/** Reads the content of a backup, line by line and table by table. */
export class BackupReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  private constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Opens a file whose checksum was verified. */
  static async open(file: string): Promise<{ header: BackupHeader; reader: BackupReader }> {
    const { size } = await fs.stat(file)
    const input = createReadStream(file, { end: size - CHECKSUM_BYTES - 1 })
    const gunzip = createGunzip()
    input.on("error", (error) => gunzip.destroy(error))
    const reader = new BackupReader(input.pipe(gunzip))
    try {
      const header = HeaderLine.parse(await reader.readLine())
      const { taken_at: takenAt, auth_secret: authSecret, ...rest } = header
      return { header: { ...rest, takenAt, authSecret }, reader }
    } catch (cause) {
      await reader.close()
      throw new BackupRefused(`${file} is not a backup that this version can read`, { cause })
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw new BackupRefused("The backup ends too early")
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
  }

  /** Returns the JSON value of the next line. Throws `BackupRefused` at the end of the file. */
  async readLine(): Promise<unknown> {
    let end = this.#rest.indexOf(NEWLINE)
    for (; end === -1; end = this.#rest.indexOf(NEWLINE)) await this.#more()
    const line = this.#rest.subarray(0, end).toString("utf8")
    this.#rest = this.#rest.subarray(end + 1)
    return JSON.parse(line)
  }

  /** Yields the rows of a table and leaves the reader after the line that ends them. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      // Within a row, a backslash is doubled and a line break is escaped. So this line only ends the rows.
      if (this.#rest.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) {
        this.#rest = this.#rest.subarray(END_OF_ROWS.length)
        return
      }
      const end = this.#rest.indexOf("\n\\.\n")
      const lines = end === -1 ? this.#rest.lastIndexOf(NEWLINE) + 1 : end + 1
      // The last line stays until it is complete, because it may be the one that ends the rows.
      if (lines > 0) {
        yield this.#rest.subarray(0, lines)
        this.#rest = this.#rest.subarray(lines)
      } else await this.#more()
    }
  }
}
