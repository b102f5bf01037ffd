import fs from "node:fs/promises"
import path from "node:path"
import { ensureGenerated } from "./generate.mjs"
import { withLock } from "./lock.mjs"
import { step } from "./progress.mjs"
import { ROOT } from "./project.mjs"
import { run } from "./run.mjs"

const readPackages = async (file) => JSON.parse(await fs.readFile(path.join(ROOT, file), "utf8")).packages

/** Returns whether node_modules agrees with the lock file. npm writes the hidden lock last, so half an install has none. */
async function isInstalled() {
  const installed = await readPackages("node_modules/.package-lock.json").catch(() => null)
  if (!installed) return false
  const wanted = await readPackages("package-lock.json")
  return Object.entries(wanted).every(([name, { version, integrity, optional }]) => {
    if (name === "") return true
    const found = installed[name]
    // Optional packages of other platforms are not installed.
    return found ? found.version === version && found.integrity === integrity : Boolean(optional)
  })
}

async function install() {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"]
  const [command, ...first] = npm
  const options = ["--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]
  await step("Installing packages", () => run(command, [...first, "ci", ...options], { quiet: true }))
}

/** Installs the packages and generates the database client if they are missing or out of date. */
export async function ensureInstalled() {
  if (!(await isInstalled()))
    await withLock(async () => {
      if (!(await isInstalled())) await install()
    })
  await ensureGenerated()
}
