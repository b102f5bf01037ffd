import { createHash, type Hash } from "node:crypto"
import { createReadStream } from "node:fs"
import * as fs from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { modelKindOf, UnusableModel } from "./decision-type"
import { parseGgufHeader } from "./gguf-header"
import { firstBytes, type Hub, type HubFile, LIST_LIMIT_MS, reasonOf } from "./hub-listing"
import { gigabytes, progressOf } from "./progress"

/** A download that receives nothing for this long is resumed. */
const SILENCE_MS = 60_000
const TRIES = 5
const RETRY_MS = 1_000
const FREE_BYTES = 268_435_456

const addressOf = (hub: Hub, { repository, commit, file }: HubFile): string =>
  `${hub.endpoint}/${repository}/resolve/${commit}/${file}`

/** The hub does not send parts of files, or cannot be reached. The download then reports what is wrong. */
class NoRange extends Error {}

async function readRange(hub: Hub, wanted: HubFile, start: number, length: number): Promise<Buffer> {
  // A range that begins at the end of the file is an error.
  if (start >= wanted.bytes) return Buffer.alloc(0)
  const headers = { range: `bytes=${start}-${start + length - 1}` }
  try {
    const response = await hub.fetch(addressOf(hub, wanted), { headers, signal: AbortSignal.timeout(LIST_LIMIT_MS) })
    if (response.status === 206) return await firstBytes(response, length)
    await response.body?.cancel()
  } catch (error) {
    throw new NoRange("the hub cannot be reached", { cause: error })
  }
  throw new NoRange("the hub sends whole files only")
}

/**
 * Reads the header of a hub's file, so that a model that does not run here is refused before gigabytes are downloaded. Throws
 * `UnusableModel`, or an error for a file that is no GGUF model.
 */
export async function checkHubHeader(hub: Hub, wanted: HubFile): Promise<void> {
  try {
    modelKindOf(await parseGgufHeader((start, length) => readRange(hub, wanted, start, length)))
  } catch (error) {
    if (!(error instanceof NoRange)) throw error
  }
}

async function hashInto(hash: Hash, file: string, signal?: AbortSignal): Promise<number> {
  let bytes = 0
  const stream = createReadStream(file, { signal }).on("error", () => {})
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
  }
  return bytes
}

/** The unfinished file of a download, and the hash of what it holds. */
class Part {
  private constructor(
    readonly file: string,
    public hash: Hash,
    public bytes: number,
  ) {}

  static async open(file: string, signal?: AbortSignal): Promise<Part> {
    const hash = createHash("sha256")
    return new Part(file, hash, await hashInto(hash, file, signal))
  }

  async restart(): Promise<void> {
    await fs.rm(this.file, { force: true })
    this.hash = createHash("sha256")
    this.bytes = 0
  }

  /** Appends a response's body. The bytes received before a failure stay. */
  async append(body: AsyncIterable<Uint8Array>, onProgress: (bytes: number) => void): Promise<void> {
    const handle = await fs.open(this.file, "a")
    try {
      for await (const chunk of body) {
        await handle.appendFile(chunk)
        this.hash.update(chunk)
        this.bytes += chunk.length
        onProgress(this.bytes)
      }
    } finally {
      await handle.close()
    }
  }
}

/** Aborts when nothing was received for a while, and closes the connection at `stop`. */
function silenceLimit() {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error("nothing was received for a minute")), SILENCE_MS)
  const stop = () => {
    clearTimeout(timer)
    controller.abort()
  }
  return { signal: controller.signal, heard: () => void timer.refresh(), stop }
}

/** Requests what is missing of a file. Throws `UnusableModel` for a failure that a retry would not fix. */
async function continuePart(hub: Hub, wanted: HubFile, part: Part, show: (bytes: number) => void) {
  const { repository, file, bytes } = wanted
  const limit = silenceLimit()
  try {
    const headers = part.bytes > 0 ? { range: `bytes=${part.bytes}-` } : undefined
    const response = await hub.fetch(addressOf(hub, wanted), { signal: limit.signal, ...(headers ? { headers } : {}) })
    if (response.status === 404 || response.status === 401 || response.status === 403)
      throw new UnusableModel(`${hub.endpoint} refused ${file} of ${repository} (HTTP ${response.status}).`)
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`)
    // A hub that ignores the range sends the whole file.
    if (response.status !== 206) await part.restart()
    await part.append(response.body as unknown as AsyncIterable<Uint8Array>, (done) => {
      limit.heard()
      if (done > bytes) throw new UnusableModel(`The download of ${file} is damaged: it is longer than the hub says.`)
      show(done)
    })
  } finally {
    limit.stop()
  }
}

async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder)
  if (bavail * bsize < bytes + FREE_BYTES)
    throw new UnusableModel(
      `The model needs ${gigabytes(bytes)} in ${folder}, and ${gigabytes(bavail * bsize)} are free.`,
    )
}

/**
 * Downloads a file to `target` and returns its SHA-256. Continues what an earlier call left in a `.part` file beside it. Throws
 * `UnusableModel` when the file differs from what the hub says, or when it cannot be fetched.
 */
export async function download(hub: Hub, wanted: HubFile, target: string): Promise<string> {
  const { file, bytes } = wanted
  await fs.mkdir(path.dirname(target), { recursive: true })
  // Another revision of the file begins anew.
  const part = await Part.open(`${target}.${(wanted.sha256 ?? String(bytes)).slice(0, 12)}.part`, hub.signal)
  await checkSpace(path.dirname(target), Math.max(0, bytes - part.bytes))
  const { onProgress } = hub
  const show = onProgress
    ? (done: number) => onProgress(done, bytes)
    : progressOf(`Downloading ${path.basename(file)}`, bytes, hub.print)
  for (let tries = 1; part.bytes !== bytes; tries++) {
    try {
      if (part.bytes > bytes) await part.restart()
      await continuePart(hub, wanted, part, show)
      if (part.bytes < bytes) throw new Error("the connection ended early")
    } catch (error) {
      if (error instanceof UnusableModel || hub.signal?.aborted) throw error
      if (tries === TRIES)
        throw new UnusableModel(
          `The download of ${file} stopped at ${gigabytes(part.bytes)} of ${gigabytes(bytes)}: ${reasonOf(error)}. Start again to resume it.`,
        )
      await sleep(RETRY_MS)
    }
  }
  const sha256 = part.hash.digest("hex")
  if (wanted.sha256 !== null && sha256 !== wanted.sha256) {
    await part.restart()
    throw new UnusableModel(`The download of ${file} is damaged: its SHA-256 is not the one that the hub lists.`)
  }
  await fs.rename(part.file, target)
  return sha256
}
