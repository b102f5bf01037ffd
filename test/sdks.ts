import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import path from "node:path"

const FOLDER = path.resolve("test/sdks")

/** The packages of the clients and Node releases that tests run the docs with. */
export const SDK_MODULES = path.join(FOLDER, "node_modules")

/** Installs `test/sdks` from its lock file, unless it is installed. Runs no scripts of the packages. */
export function installSdks(): void {
  if (existsSync(path.join(SDK_MODULES, ".package-lock.json"))) return
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: FOLDER })
}

export const NODE_MAJORS = [20, 22, 24] as const
export type NodeMajor = (typeof NODE_MAJORS)[number]

/** Returns the folder with the `node` of a release, from npm's registry. */
export function nodeFolder(major: NodeMajor): string {
  const folder = path.join(SDK_MODULES, `node-${major}-${process.platform}-${process.arch}`, "bin")
  if (!existsSync(path.join(folder, "node"))) throw new Error(`npm has no Node ${major} for this platform: ${folder}`)
  return folder
}
