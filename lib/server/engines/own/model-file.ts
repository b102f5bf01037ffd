import { createHash, hash } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import path from "node:path"
import { type HubSource, hubSourceText, parseHubSource } from "@/lib/server/platform/hub-source"
import { modelKindOf, UnusableModel } from "./decision-type"
import { withFolderLock } from "./folder-lock"
import { readGgufHeader } from "./gguf-header"
import { checkHubHeader, download } from "./hub"
import { findHubFile, findMain, findMovedMain, type Hub } from "./hub-listing"
import { gigabytes, type PrintLine } from "./progress"

/** A model file on this machine. */
export interface ModelFile {
  /** An absolute path. */
  file: string
  sha256: string
  /** `hf:OWNER/REPO@COMMIT:FILE`. Null for a local file, and for one that version 1.0.0 downloaded. */
  source: string | null
}

interface Source {
  /** A path, or the text of a `HubSource`. */
  source: string
  /** The sources of models that exist, the oldest first. A folder without a record takes its commit from them. */
  known: readonly string[]
  /** The engine's folder in `DATA_DIR`. */
  root: string
  endpoint: string
  print: PrintLine
  /** Sends requests to the hub. */
  fetch: typeof fetch
  /** Cancels the work. What was downloaded stays. */
  signal?: AbortSignal
  onProgress?: Hub["onProgress"]
  /** Called before the hub is asked, and when another download has to end first. Without it, the terminal shows the latter. */
  onDownload?(): void
  /** Receives the size of a file before its download. Throws `UnusableModel` to refuse it. */
  checkSize?(bytes: number): void
}

/** A file whose hash is known, while size and time stay the same. */
interface Known {
  bytes: number
  changedMs: number
  sha256: string
}

/** Larger files take more than a second to hash. */
const LONG_BYTES = 1e9

const recordOf = (root: string, file: string): string =>
  path.join(root, "hashes", `${hash("sha256", file, "hex").slice(0, 32)}.json`)

async function readJson<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await fs.readFile(file, "utf8")) as T
  } catch {
    return null
  }
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await fs.writeFile(draft, JSON.stringify(value), { flush: true })
  await fs.rename(draft, file)
}

/** Returns the recorded SHA-256 of a file that has not changed since. Null when there is none. */
async function knownHash(root: string, file: string): Promise<string | null> {
  const known = await readJson<Known>(recordOf(root, file))
  const stat = await fs.stat(file).catch(() => null)
  return known && stat && stat.size === known.bytes && stat.mtimeMs === known.changedMs ? known.sha256 : null
}

async function record(root: string, file: string, sha256: string): Promise<void> {
  const { size: bytes, mtimeMs: changedMs } = await fs.stat(file)
  await writeJson(recordOf(root, file), { bytes, changedMs, sha256 } satisfies Known)
}

async function localFile({
  source,
  root,
  print,
  signal,
}: Pick<Source, "source" | "root" | "print" | "signal">): Promise<ModelFile> {
  const file = path.resolve(source)
  const stat = await fs.stat(file).catch(() => null)
  if (!stat?.isFile()) throw new UnusableModel(`There is no file ${source}.`)
  modelKindOf(await readGgufHeader(file))
  const known = await knownHash(root, file)
  if (known) return { file, sha256: known, source: null }
  if (stat.size > LONG_BYTES) print(`Reading ${path.basename(file)} (${gigabytes(stat.size)}) once for its SHA-256…`)
  const digest = createHash("sha256")
  for await (const chunk of createReadStream(file, { signal })) digest.update(chunk)
  const sha256 = digest.digest("hex")
  await record(root, file, sha256)
  return { file, sha256, source: null }
}

/** What a source of a hub led to. It leads to the same commit and file ever after. */
interface Resolved {
  /** Null for a file that version 1.0.0 downloaded. */
  commit: string | null
  file: string
  /** Null until the file was downloaded. */
  sha256: string | null
}

const resolvedRecord = (root: string, source: string): string =>
  path.join(root, "sources", `${hash("sha256", source, "hex").slice(0, 32)}.json`)

const pathOf = (root: string, repository: string, { commit, file }: { commit: string | null; file: string }): string =>
  path.join(root, "models", repository, commit === null ? "" : `@${commit}`, file)

/** Returns what version 1.0.0 downloaded for a source without a commit. Null when there is no such file. */
async function earlierFile(root: string, { repository, file: named }: HubSource): Promise<Resolved | null> {
  const chosen = path.join(root, "models", repository, "chosen.json")
  const file = named ?? (await readJson<{ file: string }>(chosen))?.file
  const earlier = file === undefined ? null : { commit: null, file, sha256: null }
  return earlier && existsSync(pathOf(root, repository, earlier)) ? earlier : null
}

/** Returns where a source leads without asking the hub. Null, or no file, when only the hub knows. */
async function findResolved({ source, root, known }: Source, wanted: HubSource): Promise<Partial<Resolved> | null> {
  const record = await readJson<Resolved>(resolvedRecord(root, source))
  if (record || wanted.commit !== null)
    return record ?? { commit: wanted.commit, ...(wanted.file && { file: wanted.file }) }
  const earlier = await earlierFile(root, wanted)
  if (earlier) return earlier
  const models = known.flatMap((text) => parseHubSource(text) ?? [])
  const model = models.find(
    ({ repository, file }) => repository === wanted.repository && (wanted.file === null || wanted.file === file),
  )
  return model ? { commit: model.commit, ...(model.file && { file: model.file }) } : null
}

function checkHash(file: string, sha256: string, expected: string | null | undefined): void {
  if (expected && expected !== sha256)
    throw new UnusableModel(
      `The file ${file} is not the one that was downloaded: its SHA-256 is ${sha256} instead of ${expected}. Delete it, and the next start downloads it again.`,
    )
}

/** Returns a signal that aborts with either of two. */
function bothOf(signal: AbortSignal | undefined, other: AbortSignal | null | undefined): AbortSignal | null {
  const both = [signal, other].filter((one) => one != null)
  return both.length === 0 ? null : AbortSignal.any(both)
}

/** Returns a hub's file that is on this machine. Null when it has to be downloaded. */
async function presentFile(given: Source, { repository }: HubSource, resolved: Partial<Resolved> | null) {
  if (!resolved?.file) return null
  const present = { commit: resolved.commit ?? null, file: resolved.file }
  const target = pathOf(given.root, repository, present)
  if (!existsSync(target)) return null
  const { file, sha256 } = await localFile({ ...given, source: target })
  checkHash(file, sha256, resolved.sha256)
  return { file, sha256, source: present.commit === null ? null : hubSourceText({ repository, ...present }) }
}

/** Returns a file that is on this machine with its hash. It writes nothing, so it needs no lock. Null when there is none. */
async function hashedFile(given: Source, wanted: HubSource): Promise<ModelFile | null> {
  const resolved = await findResolved(given, wanted)
  if (!resolved?.file) return null
  const file = pathOf(given.root, wanted.repository, { commit: resolved.commit ?? null, file: resolved.file })
  return (await knownHash(given.root, file)) === null ? null : presentFile(given, wanted, resolved)
}

/** Returns the file of a hub's model. After a download, later calls for the same source do not need the hub. */
async function hubFile(given: Source, wanted: HubSource): Promise<ModelFile> {
  const { source, root, endpoint, print, fetch } = given
  const { repository } = wanted
  // Another model's download may take hours.
  const hashed = await hashedFile(given, wanted)
  if (hashed) return hashed
  const onWait = given.onDownload ?? (() => print("Another process is downloading a model; waiting for it…"))
  const { signal } = given
  const send: typeof fetch = (input, init) => fetch(input, { ...init, signal: bothOf(signal, init?.signal) })
  return withFolderLock(path.join(root, "models"), { onWait, signal }, async () => {
    const resolved = await findResolved(given, wanted)
    const present = await presentFile(given, wanted, resolved)
    if (present) return present
    given.onDownload?.()
    const hub: Hub = { endpoint, print, fetch: send, signal, onProgress: given.onProgress }
    const commit = resolved?.commit ?? (await findMain(hub, repository))
    const found = await findHubFile(hub, { repository, commit, file: resolved?.file ?? wanted.file })
    given.checkSize?.(found.bytes)
    await checkHubHeader(hub, found)
    // Recorded before the download, so that a later start continues it although main has moved.
    const remember = (sha256: string | null) =>
      writeJson(resolvedRecord(root, source), { commit, file: found.file, sha256 } satisfies Resolved)
    await remember(resolved?.sha256 ?? null)
    const file = pathOf(root, repository, found)
    const sha256 = await download(hub, found, file)
    checkHash(file, sha256, resolved?.sha256)
    await record(root, file, sha256)
    await remember(sha256)
    return { file, sha256, source: hubSourceText({ repository, commit, file: found.file }) }
  })
}

/**
 * Returns the model file of a source, which is downloaded if needed. Throws an error with one line for the operator. A model that
 * does not run here is refused before it is hashed, and before it is downloaded if the hub sends parts of files.
 */
export function ensureModelFile(given: Source): Promise<ModelFile> {
  const hub = parseHubSource(given.source)
  return hub ? hubFile(given, hub) : localFile(given)
}

/**
 * Returns one line when the branch main of a source without a commit has another file now, with the command that follows it. Null
 * when it has the same file, for any other source, and when the hub cannot say.
 */
export async function movedMainLine(given: Source, model: ModelFile): Promise<string | null> {
  const wanted = parseHubSource(given.source)
  if (!wanted || wanted.commit !== null) return null
  const { repository } = wanted
  const pinned = parseHubSource(model.source ?? "")
  const file = pinned?.file ?? path.relative(path.join(given.root, "models", repository), model.file)
  const onDisk = { repository, commit: pinned?.commit ?? null, file, sha256: model.sha256 }
  const main = await findMovedMain(given, onDisk).catch(() => null)
  if (!main) return null
  const next = hubSourceText({ repository, commit: main.commit, file: main.hasFile ? file : null })
  const value = next.includes(" ") ? `'${next}'` : next
  return `The branch main of ${repository} has another file now. The service keeps ${model.source ?? file}. To follow main: ENGINE_GGUF=${value} npm start`
}
