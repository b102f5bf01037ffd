import { createHash, type Hash } from "node:crypto"
import { pipeline, Readable } from "node:stream"
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

/** A backup cannot be created, verified or restored. The message is one line. Nothing was changed. */
export class BackupRefused extends Error {}

/** The bytes of a file. */
export type Bytes = AsyncIterable<Buffer>

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

async function* seal(chunks: Bytes): AsyncGenerator<Buffer> {
  const hash = createHash("sha256")
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  yield hash.digest()
}

async function* unseal(chunks: Bytes): AsyncGenerator<Buffer> {
  const hash = createHash("sha256")
  let last: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const known = Buffer.concat([last, chunk])
    const end = Math.max(0, known.length - CHECKSUM_BYTES)
    hash.update(known.subarray(0, end))
    if (end > 0) yield known.subarray(0, end)
    last = known.subarray(end)
  }
  if (!hash.digest().equals(last)) throw new BackupRefused("its checksum is wrong")
}

/** Pipes bytes through a transform. A failure before it, and one in it, reject the reader of the result. */
function through(chunks: Bytes, transform: NodeJS.ReadWriteStream): Bytes {
  pipeline(Readable.from(chunks, { objectMode: false }), transform, () => {})
  return transform as NodeJS.ReadWriteStream & Bytes
}

/** Turns the lines of a backup into the bytes of its file. */
export const pack = (lines: Bytes): Bytes => seal(through(lines, createGzip({ level: GZIP_LEVEL })))

/** Turns the bytes of a file into the lines of its backup. The end of the lines is only reached when the checksum is right. */
export const unpack = (bytes: Bytes): Bytes => through(unseal(bytes), createGunzip())

/** Counts bytes and computes their SHA-256 while they pass. */
export class Measured {
  bytes = 0
  readonly #hash: Hash = createHash("sha256")
  readonly #source: Bytes

  constructor(source: Bytes) {
    this.#source = source
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.#source) {
      this.#hash.update(chunk)
      this.bytes += chunk.length
      yield chunk
    }
  }

  /** Returns the SHA-256 of all bytes in hexadecimal digits. To be called once, at the end. */
  sha256(): string {
    return this.#hash.digest("hex")
  }
}

const NEWLINE = 0x0a
const END_OF_ROWS = Buffer.from("\\.\n")

/** Reads the lines of a backup, table by table. */
export class BackupReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  private constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]()
  }

  static async open(lines: Bytes): Promise<{ header: BackupHeader; reader: BackupReader }> {
    const reader = new BackupReader(lines)
    try {
      const header = HeaderLine.safeParse(await reader.readLine())
      if (!header.success) throw new BackupRefused("it has another format than this version reads")
      const { taken_at: takenAt, auth_secret: authSecret, ...rest } = header.data
      return { header: { ...rest, takenAt, authSecret }, reader }
    } catch (error) {
      await reader.close()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw new BackupRefused("it ends too early")
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

  /** Yields the rows of a table, as whole lines, and leaves the reader after the line that ends them. */
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

  /** Reads up to the end of the file, where its checksum is compared. Throws `BackupRefused` when there is another line. */
  async end(): Promise<void> {
    const { done } = await this.#source.next()
    if (!done || this.#rest.length > 0) throw new BackupRefused("it goes on after its last line")
  }
}
