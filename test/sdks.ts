import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"

const digestOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12)

const FOLDER = path.resolve("test/sdks")

/** The folder with the client packages and Node releases that run the snippets of the docs in tests. */
export const SDK_MODULES = path.join(FOLDER, "node_modules")

/** Written last. Its name has the lock file's digest, so a changed lock file is installed again. */
const INSTALLED = path.join(SDK_MODULES, `.installed-${digestOf(path.join(FOLDER, "package-lock.json"))}`)
/** Holds npm's error after a failed installation. */
const FAILED = path.join(SDK_MODULES, ".failed")

/** Installs `test/sdks` from its lock file, unless it is installed. Runs no scripts of the packages. Rejects with npm's error. */
export async function installSdks(): Promise<void> {
  if (existsSync(INSTALLED)) return
  await rm(FAILED, { force: true })
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  try {
    await promisify(execFile)("npm", args, { cwd: FOLDER })
    await writeFile(INSTALLED, "")
  } catch (error) {
    await mkdir(SDK_MODULES, { recursive: true })
    await writeFile(FAILED, String(error))
    throw error
  }
}

/** Waits until `installSdks`, which the run's setup begins, has ended. Throws npm's error when it failed. */
export async function sdksInstalled(): Promise<void> {
  for (; !existsSync(INSTALLED); await sleep(100))
    if (existsSync(FAILED)) throw new Error(await readFile(FAILED, "utf8"))
}

export const NODE_MAJORS = [20, 22, 24] as const
export type NodeMajor = (typeof NODE_MAJORS)[number]

/** A release that is too old for the service. */
export const OLD_NODE = 18

/** Returns the folder with the `node` of a release, from npm's registry. */
export function nodeFolder(major: NodeMajor | typeof OLD_NODE): string {
  const folder = path.join(SDK_MODULES, `node-${major}-${process.platform}-${process.arch}`, "bin")
  if (!existsSync(path.join(folder, "node"))) throw new Error(`npm has no Node ${major} for this platform: ${folder}`)
  return folder
}
