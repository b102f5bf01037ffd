import { randomBytes } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import * as fs from "node:fs/promises"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { BackupRefused, type Bytes } from "./backup-format"
import type { BackupPlace } from "./backup-place"

/** A process still writes to any draft that changed within this time. */
const LEFT_MS = 600_000

async function* readFile(file: string): AsyncGenerator<Buffer> {
  const stat = await fs.stat(file).catch(() => null)
  if (!stat?.isFile()) throw new BackupRefused(`${file} is not a file`)
  yield* createReadStream(file) as Bytes
}

/** A folder. Only its owner may read the files that are written here. */
export class FolderPlace implements BackupPlace {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
  }

  nameOf(file: string): string {
    return path.join(this.#dir, file)
  }

  async refuseExisting(file: string): Promise<void> {
    const found = await fs.lstat(this.nameOf(file)).catch(() => null)
    if (found) throw new BackupRefused(`${this.nameOf(file)} exists already`)
  }

  async write(file: string, bytes: Bytes, check: (read: () => Bytes) => Promise<void>): Promise<void> {
    await this.refuseExisting(file)
    const whole = this.nameOf(file)
    const draft = this.nameOf(`.${file}.${randomBytes(6).toString("hex")}.part`)
    try {
      await pipeline(bytes, createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }))
      await check(() => readFile(draft))
      // Unlike a rename, a link never replaces a file that appeared meanwhile.
      await fs.link(draft, whole).catch((cause: NodeJS.ErrnoException) => {
        throw cause.code === "EEXIST" ? new BackupRefused(`${whole} exists already`) : cause
      })
    } finally {
      await fs.rm(draft, { force: true })
    }
  }

  read(file: string): Bytes {
    return readFile(this.nameOf(file))
  }

  async list(): Promise<{ file: string; changedAtMs: number }[]> {
    const entries = await fs.readdir(this.#dir, { withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    return Promise.all(files.map(async (file) => ({ file, changedAtMs: (await fs.stat(this.nameOf(file))).mtimeMs })))
  }

  async remove(file: string): Promise<void> {
    await fs.rm(this.nameOf(file), { force: true })
  }

  async prepare(names: RegExp): Promise<void> {
    await fs.mkdir(this.#dir, { recursive: true, mode: 0o700 })
    for (const { file, changedAtMs } of await this.list()) {
      const name = /^\.(.+)\.[0-9a-f]{12}\.part$/.exec(file)?.[1]
      if (name === undefined || !names.test(name)) continue
      if (Date.now() - changedAtMs > LEFT_MS) await this.remove(file)
    }
  }
}
