import { createHash, type Hash } from "node:crypto"
import { createReadStream } from "node:fs"
import * as fs from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"
import { modelKindOf, UnusableModel } from "./decision-type"
import { parseGgufHeader } from "./gguf-header"
import { gigabytes, type PrintLine, progressOf } from "./progress"

/** A model file in a repository of a hub. */
export interface HubFile {
  repository: string
  file: string
  bytes: number
  /** Null when the hub does not report it. */
  sha256: string | null
}

interface Hub {
  /** The address of the hub, `HF_ENDPOINT`. */
  endpoint: string
  print: PrintLine
  /** Sends its requests. */
  fetch: typeof fetch
}

const LIST_LIMIT_MS = 30_000
const LIST_LIMIT_BYTES = 4 * 1024 * 1024
/** A download that receives nothing for this long is resumed. */
const SILENCE_MS = 60_000
const TRIES = 5
const RETRY_MS = 1_000
/** Preferred when a repository has several files, as by llama-server. */
const PREFERRED = [/q4_k_m/i, /q8_0/i]
/** A path within the repository, without `.` and `..`. */
const MODEL_FILE = /^(?:(?!\.{1,2}\/)[\w. -]+\/)*[\w. -]+\.gguf$/
const MAX_LISTED = 8
const FREE_BYTES = 268_435_456

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

/** Reads a response's first bytes, at most `length`, and then closes its connection. A hub may send without an end. */
async function firstBytes(response: Response, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let missing = length
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, missing))
    missing -= chunk.length
    if (missing <= 0) break
  }
  return Buffer.concat(chunks)
}

/** Returns null for a reply that is no JSON or is longer than a list may be. */
async function jsonOf(response: Response): Promise<unknown> {
  const bytes = await firstBytes(response, LIST_LIMIT_BYTES + 1)
  try {
    return bytes.length > LIST_LIMIT_BYTES ? null : JSON.parse(bytes.toString("utf8"))
  } catch {
    return null
  }
}

const Listing = z.array(
  z.object({ path: z.string(), size: z.number(), lfs: z.object({ oid: z.string(), size: z.number() }).nullish() }),
)

async function listFiles({ endpoint, fetch }: Hub, repository: string): Promise<z.output<typeof Listing>> {
  const url = `${endpoint}/api/models/${repository}/tree/main?recursive=true`
  const response = await fetch(url, { signal: AbortSignal.timeout(LIST_LIMIT_MS) }).catch((error) => {
    throw new UnusableModel(`${endpoint} cannot be reached: ${reasonOf(error)}.`)
  })
  if (!response.ok) await response.body?.cancel()
  if (response.status === 401 || response.status === 404)
    throw new UnusableModel(
      `${endpoint} has no public model ${repository}. Check the name, or download the file yourself.`,
    )
  if (!response.ok) throw new UnusableModel(`${endpoint} did not list ${repository} (HTTP ${response.status}).`)
  // A proxy or a network that asks for a login replies with a page of its own.
  const listing = Listing.safeParse(await jsonOf(response).catch(() => null))
  if (!listing.success)
    throw new UnusableModel(`${endpoint} did not list ${repository}: its reply is no list of files.`)
  return listing.data.filter(({ path: name }) => MODEL_FILE.test(name) && !/mmproj/i.test(name))
}

/** Finds the file to download: the one that is named, the only one, or a preferred one. Throws `UnusableModel`. */
export async function findHubFile(hub: Hub, repository: string, named: string | null): Promise<HubFile> {
  const files = await listFiles(hub, repository)
  const list = files.slice(0, MAX_LISTED).map(({ path: name }) => name)
  const choices = PREFERRED.flatMap((pattern) => files.find(({ path: name }) => pattern.test(name)) ?? [])
  const found =
    named === null ? (files.length === 1 ? files[0] : choices[0]) : files.find((file) => file.path === named)
  if (!found) {
    const missing = named === null ? "no single GGUF file" : `no file ${named}`
    const available = list.length > 0 ? ` Name one of its files: ${list.join(", ")}.` : ""
    throw new UnusableModel(`The model ${repository} has ${missing}.${available}`)
  }
  return { repository, file: found.path, bytes: found.lfs?.size ?? found.size, sha256: found.lfs?.oid ?? null }
}

const addressOf = (hub: Hub, { repository, file }: HubFile): string =>
  `${hub.endpoint}/${repository}/resolve/main/${file}`

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

async function hashInto(hash: Hash, file: string): Promise<number> {
  let bytes = 0
  const stream = createReadStream(file).on("error", () => {})
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

  static async open(file: string): Promise<Part> {
    const hash = createHash("sha256")
    return new Part(file, hash, await hashInto(hash, file))
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
  const part = await Part.open(`${target}.${(wanted.sha256 ?? String(bytes)).slice(0, 12)}.part`)
  await checkSpace(path.dirname(target), Math.max(0, bytes - part.bytes))
  const show = progressOf(`Downloading ${path.basename(file)}`, bytes, hub.print)
  for (let tries = 1; part.bytes !== bytes; tries++) {
    try {
      if (part.bytes > bytes) await part.restart()
      await continuePart(hub, wanted, part, show)
      if (part.bytes < bytes) throw new Error("the connection ended early")
    } catch (error) {
      if (error instanceof UnusableModel) throw error
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
