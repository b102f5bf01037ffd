import { execFile, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { afterFile } from "./after-file"
import { freePort } from "./free-port"

/** Installed by the first test that needs them, and kept for all later runs. */
const PACKAGES = path.resolve("node_modules/.cache/python-packages")
/** Longer than a slow index needs. Vitest allows a hook that installs more, so a test never leaves an installation behind. */
const INSTALL_MS = 1_200_000
export const INSTALL_HOOK_MS = INSTALL_MS + 60_000

const run = promisify(execFile)

/**
 * Installs packages of PyPI, each as `name==version` and without its dependencies. Returns their folder. Rejects with the Debian
 * package that is missing.
 */
export const pythonPackages = (pinned: readonly string[]): Promise<string> => installed(pinned.join("_"), pinned)

/** Installs the packages of a file that lists each with its version, dependencies included. Returns their folder. */
export async function pythonPackagesOf(lockFile: string): Promise<string> {
  const digest = createHash("sha256")
    .update(await readFile(lockFile))
    .digest("hex")
  return installed(digest.slice(0, 12), ["-r", lockFile])
}

async function installed(name: string, what: readonly string[]): Promise<string> {
  const folder = path.join(PACKAGES, name)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  await mkdir(draft, { recursive: true })
  try {
    await run("python3", ["-m", "venv", path.join(draft, "venv")]).catch((cause) => {
      throw new Error("python3 has no venv. Install the Debian package python3-venv", { cause })
    })
    const pip = path.join(draft, "venv/bin/pip")
    const args = ["install", "--quiet", "--no-deps", "--retries=10", "--target", path.join(draft, "packages"), ...what]
    await run(pip, args, { timeout: INSTALL_MS }).catch((cause) => {
      throw new Error(`pip could not install ${what.join(" ")}: ${cause.stderr}`, { cause })
    })
    await rename(path.join(draft, "packages"), folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

/** Starts a program of installed packages that listens on a port, until the test file ends. Returns its address. */
export async function startPythonServer(
  packages: string,
  args: (port: number) => string[],
  variables: Record<string, string> = {},
): Promise<string> {
  const port = await freePort()
  const env = { ...process.env, PYTHONPATH: packages, ...variables }
  const child = spawn("python3", args(port), { env, stdio: "ignore" })
  afterFile(() => child.kill())
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`${args(port).join(" ")} ended with ${child.exitCode}`)
    await sleep(100)
  }
  return url
}
