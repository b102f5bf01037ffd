import { createHash, hash } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import path from "node:path"
import { modelKindOf, UnusableModel } from "./decision-type"
import { withFolderLock } from "./folder-lock"
import { readGgufHeader } from "./gguf-header"
import { checkHubHeader, download, findHubFile } from "./hub"
import { gigabytes, type PrintLine } from "./progress"

/** A model file on this machine. */
export interface ModelFile {
  /** An absolute path. */
  file: string
  sha256: string
}

interface Source {
  /** A path, `hf:OWNER/REPO` or `hf:OWNER/REPO:FILE`. */
  source: string
  /** The engine's folder in `DATA_DIR`. */
  root: string
  endpoint: string
  print: PrintLine
  /** Sends requests to the hub. */
  fetch: typeof fetch
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

async function localFile({ source, root, print }: Source): Promise<ModelFile> {
  const file = path.resolve(source)
  const stat = await fs.stat(file).catch(() => null)
  if (!stat?.isFile()) throw new UnusableModel(`There is no file ${source}.`)
  modelKindOf(await readGgufHeader(file))
  const known = await knownHash(root, file)
  if (known) return { file, sha256: known }
  if (stat.size > LONG_BYTES) print(`Reading ${path.basename(file)} (${gigabytes(stat.size)}) once for its SHA-256…`)
  const digest = createHash("sha256")
  for await (const chunk of createReadStream(file)) digest.update(chunk)
  const sha256 = digest.digest("hex")
  await record(root, file, sha256)
  return { file, sha256 }
}

/** Returns the file of a hub's model. After a download, later calls for the same source do not need the hub. */
async function hubFile({ source, root, endpoint, print, fetch }: Source): Promise<ModelFile> {
  const [, repository = "", named = null] = source.split(":")
  const folder = path.join(root, "models", repository)
  const chosen = path.join(folder, "chosen.json")
  const onWait = () => print("Another process is downloading a model; waiting for it…")
  return withFolderLock(path.join(root, "models"), onWait, async () => {
    const name = named ?? (await readJson<{ file: string }>(chosen))?.file
    const earlier = name && path.join(folder, name)
    if (earlier && existsSync(earlier)) return localFile({ source: earlier, root, endpoint, print, fetch })
    const hub = { endpoint, print, fetch }
    const wanted = await findHubFile(hub, repository, named)
    await checkHubHeader(hub, wanted)
    const file = path.join(folder, wanted.file)
    const sha256 = await download(hub, wanted, file)
    await record(root, file, sha256)
    if (named === null) await writeJson(chosen, { file: wanted.file })
    return { file, sha256 }
  })
}

/**
 * Returns the model file of a source, which is downloaded if needed. Throws an error with one line for the operator. A model that
 * does not run here is refused before it is hashed, and before it is downloaded if the hub sends parts of files.
 */
export const ensureModelFile = (source: Source): Promise<ModelFile> =>
  source.source.startsWith("hf:") ? hubFile(source) : localFile(source)
