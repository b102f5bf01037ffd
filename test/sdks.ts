import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"

const FOLDER = path.resolve("test/sdks")

/** The packages of the clients and Node releases that tests run the docs with. */
export const SDK_MODULES = path.join(FOLDER, "node_modules")

/** npm writes this file last. */
const INSTALLED = path.join(SDK_MODULES, ".package-lock.json")
/** For a slow connection: the releases of Node are 150 MB to download. */
const INSTALLED_WITHIN_MS = 600_000

/** Installs `test/sdks` from its lock file, unless it is installed. Runs no scripts of the packages. Rejects with npm's error. */
export async function installSdks(): Promise<void> {
  if (existsSync(INSTALLED)) return
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  await promisify(execFile)("npm", args, { cwd: FOLDER })
}

/** Waits until `installSdks`, which the run's setup begins, has ended. */
export async function sdksInstalled(): Promise<void> {
  for (const until = Date.now() + INSTALLED_WITHIN_MS; !existsSync(INSTALLED); await sleep(100))
    if (Date.now() > until) throw new Error(`npm has not installed ${FOLDER}`)
}

export const NODE_MAJORS = [20, 22, 24] as const
export type NodeMajor = (typeof NODE_MAJORS)[number]

/** Returns the folder with the `node` of a release, from npm's registry. */
export function nodeFolder(major: NodeMajor): string {
  const folder = path.join(SDK_MODULES, `node-${major}-${process.platform}-${process.arch}`, "bin")
  if (!existsSync(path.join(folder, "node"))) throw new Error(`npm has no Node ${major} for this platform: ${folder}`)
  return folder
}
