import { z } from "zod"
import { UnusableModel } from "./decision-type"
import type { PrintLine } from "./progress"

/** A model file in a repository of a hub. */
export interface HubFile {
  repository: string
  commit: string
  file: string
  bytes: number
  /** Null when the hub does not report it. */
  sha256: string | null
}

/** A file that was downloaded. */
export interface HubFileOnDisk {
  repository: string
  /** Null for one that version 1.0.0 downloaded. */
  commit: string | null
  file: string
  sha256: string
}

export interface Hub {
  /** The address of the hub, `HF_ENDPOINT`. */
  endpoint: string
  print: PrintLine
  /** Sends its requests. */
  fetch: typeof fetch
  /** Cancels a download, whose part stays for a later one. */
  signal?: AbortSignal
  /** Receives how much of a download is done. By default the terminal shows it. */
  onProgress?(doneBytes: number, totalBytes: number): void
}

export const LIST_LIMIT_MS = 30_000
const LIST_LIMIT_BYTES = 4 * 1024 * 1024
/** Preferred when a repository has several files, as by llama-server. */
const PREFERRED = [/q4_k_m/i, /q8_0/i]
/** A path within the repository, without `.` and `..`. */
const MODEL_FILE = /^(?:(?!\.{1,2}\/)[\w. -]+\/)*[\w. -]+\.gguf$/
const MAX_LISTED = 8

export const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

/** Reads a response's first bytes, at most `length`, and then closes its connection. A hub may send without an end. */
export async function firstBytes(response: Response, length: number): Promise<Buffer> {
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

/** Reads what the hub says about a repository. Throws `UnusableModel` with one line. */
async function readHub<T>(hub: Hub, repository: string, route: string, schema: z.ZodType<T>, kind: string): Promise<T> {
  const { endpoint } = hub
  const commit = /^tree\/(\w+)/.exec(route)?.[1]
  const named = commit === undefined ? "" : ` with the commit ${commit}`
  const url = `${endpoint}/api/models/${repository}/${route}`
  const response = await hub.fetch(url, { signal: AbortSignal.timeout(LIST_LIMIT_MS) }).catch((error) => {
    throw new UnusableModel(`${endpoint} cannot be reached: ${reasonOf(error)}.`)
  })
  if (!response.ok) await response.body?.cancel()
  if (response.status === 401 || response.status === 404)
    throw new UnusableModel(
      `${endpoint} has no public model ${repository}${named}. Check the name, or download the file yourself.`,
    )
  if (!response.ok) throw new UnusableModel(`${endpoint} did not list ${repository} (HTTP ${response.status}).`)
  // A proxy or a network that asks for a login replies with a page of its own.
  const reply = schema.safeParse(await jsonOf(response).catch(() => null))
  if (!reply.success) throw new UnusableModel(`${endpoint} did not list ${repository}: its reply is no ${kind}.`)
  return reply.data
}

const Revision = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) })

/** Returns the commit of the branch main. Throws `UnusableModel`. */
export async function findMain(hub: Hub, repository: string): Promise<string> {
  return (await readHub(hub, repository, "revision/main", Revision, "commit")).sha
}

async function listFiles(hub: Hub, repository: string, commit: string): Promise<HubFile[]> {
  const listed = await readHub(hub, repository, `tree/${commit}?recursive=true`, Listing, "list of files")
  return listed
    .filter(({ path: name }) => MODEL_FILE.test(name) && !/mmproj/i.test(name))
    .map(({ path: file, size, lfs }) => ({
      repository,
      commit,
      file,
      bytes: lfs?.size ?? size,
      sha256: lfs?.oid ?? null,
    }))
}

interface Wanted {
  repository: string
  commit: string
  /** Null: the only one, or a preferred one. */
  file: string | null
}

/** Finds the file to download. Throws `UnusableModel`. */
export async function findHubFile(hub: Hub, { repository, commit, file: named }: Wanted): Promise<HubFile> {
  const files = await listFiles(hub, repository, commit)
  const list = files.slice(0, MAX_LISTED).map(({ file }) => file)
  const choices = PREFERRED.flatMap((pattern) => files.find(({ file }) => pattern.test(file)) ?? [])
  const found = named === null ? (files.length === 1 ? files[0] : choices[0]) : files.find(({ file }) => file === named)
  if (found) return found
  const missing = named === null ? "no single GGUF file" : `no file ${named}`
  const available = list.length > 0 ? ` Name one of its files: ${list.join(", ")}.` : ""
  throw new UnusableModel(`The model ${repository} has ${missing}.${available}`)
}

/**
 * Returns the commit of main and whether it has the file, if main has another file than the one with this SHA-256. Null when it has
 * the same one, and when the hub does not list its SHA-256. Throws `UnusableModel`.
 */
export async function findMovedMain(hub: Hub, { repository, commit, file, sha256 }: HubFileOnDisk) {
  const main = await findMain(hub, repository)
  if (main === commit) return null
  const found = (await listFiles(hub, repository, main)).find((other) => other.file === file)
  if (found && (found.sha256 === null || found.sha256 === sha256)) return null
  return { commit: main, hasFile: found !== undefined }
}
