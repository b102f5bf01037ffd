import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { npmCommand, npmEnv } from "@/lib/server/platform/env"
import { UnusableModel } from "./decision-type"
import { withFolderLock } from "./folder-lock"
import manifest from "./packages/package.json" with { type: "json" }
import reviewed from "./packages/package-lock.json" with { type: "json" }
import type { PrintLine } from "./progress"

/** The version of `node-llama-cpp`. It is part of what an id is pinned to: another one needs new ids. */
export const NATIVE_VERSION = manifest.dependencies["node-llama-cpp"]
const INSTALL_LIMIT_MS = 30 * 60_000
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

export type Gpu = "cuda" | "vulkan" | "metal"

/** The packages with a platform's binaries: for its processor, and what each GPU interface adds. */
const BINARIES: Readonly<Record<string, { processor: string; gpu: Partial<Record<Gpu, string[]>> }>> = {
  "linux-x64": {
    processor: "linux-x64",
    gpu: { cuda: ["linux-x64-cuda", "linux-x64-cuda-ext"], vulkan: ["linux-x64-vulkan"] },
  },
  "linux-arm64": { processor: "linux-arm64", gpu: {} },
  "darwin-arm64": { processor: "mac-arm64-metal", gpu: { metal: [] } },
  "darwin-x64": { processor: "mac-x64", gpu: {} },
}

interface Platform {
  platform: string
  arch: string
  /** The version of glibc. Undefined where Node was built for another C library. */
  glibc: string | undefined
}

function thisPlatform(): Platform {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return { platform: process.platform, arch: process.arch, glibc: header.glibcVersionRuntime }
}

const OTHERWISE = "Run llama-server elsewhere and set ENGINE_URL instead of ENGINE_GGUF."

/** Returns the packages of binaries that a platform needs. Throws `UnusableModel` for one without prebuilt binaries. */
export function binariesFor(gpu: Gpu | null, { platform, arch, glibc }: Platform = thisPlatform()): string[] {
  const binaries = BINARIES[`${platform}-${arch}`]
  if (!binaries) throw new UnusableModel(`There is no prebuilt llama.cpp for ${platform} on ${arch}. ${OTHERWISE}`)
  if (platform === "linux" && glibc === undefined)
    throw new UnusableModel(
      `The prebuilt llama.cpp needs glibc, which this system does not have (Alpine has musl). Use a Debian-based image. ${OTHERWISE}`,
    )
  const extra = gpu === null ? [] : binaries.gpu[gpu]
  if (!extra)
    throw new UnusableModel(`There is no prebuilt llama.cpp with ${gpu} for ${platform} on ${arch}. ${OTHERWISE}`)
  return [binaries.processor, ...extra].map((name) => `@node-llama-cpp/${name}`)
}

interface Locked {
  version: string
  optional?: boolean
}

/**
 * Returns `package.json` and `package-lock.json` for npm: the reviewed packages, each with its SHA-512, and of all binaries only
 * these. A binary that the reviewed list lacks has no hash there.
 */
export function projectFor(binaries: string[]) {
  const dependencies = {
    ...manifest.dependencies,
    ...Object.fromEntries(binaries.map((name) => [name, NATIVE_VERSION])),
  }
  const { "": root, ...listed } = reviewed.packages
  const { optionalDependencies: _, ...native } = listed["node_modules/node-llama-cpp"]
  const known: Readonly<Record<string, Locked>> = listed
  const chosen = binaries.map((name): [string, Locked] => {
    const place = `node_modules/${name}`
    return [place, { ...(known[place] ?? { version: NATIVE_VERSION }), optional: false }]
  })
  const others = Object.entries(known).filter(([place]) => !place.startsWith("node_modules/@node-llama-cpp/"))
  const packages = {
    ...Object.fromEntries([...others, ...chosen]),
    "": { ...root, dependencies },
    "node_modules/node-llama-cpp": native,
  }
  return { manifest: { ...manifest, dependencies }, lock: { ...reviewed, packages } }
}

/**
 * Installs packages into an empty folder. npm refuses a package whose SHA-512 is not the reviewed one. The user's own cache may be on
 * a read-only file system. No package runs a script.
 */
async function install(folder: string, cache: string, binaries: string[], signal?: AbortSignal): Promise<void> {
  const project = projectFor(binaries)
  await fs.writeFile(path.join(folder, "package.json"), JSON.stringify(project.manifest))
  await fs.writeFile(path.join(folder, "package-lock.json"), JSON.stringify(project.lock))
  const [command = "npm", ...first] = npmCommand()
  const flags = ["--loglevel=error", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"]
  const options = ["--prefix", folder, "--cache", cache, ...flags]
  try {
    await promisify(execFile)(command, [...first, "ci", ...options], {
      cwd: folder,
      env: npmEnv(),
      timeout: INSTALL_LIMIT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      signal,
    })
  } catch (error) {
    const output = String((error as { stderr?: string }).stderr ?? "")
    const reason = /npm (?:ERR!|error) (?!code )(.+)/.exec(output)?.[1] ?? (error as Error).message
    const advice = output.includes("EINTEGRITY")
      ? "The registry sent another package than the reviewed one: set another registry."
      : "Check the connection to the npm registry."
    throw new UnusableModel(
      `npm could not install node-llama-cpp ${NATIVE_VERSION}: ${reason.trim().replace(/\.$/, "")}. ${advice}`,
    )
  }
}

/**
 * Installs `node-llama-cpp` and this platform's binary below `root`, unless an earlier start did. Returns the folder. Concurrent
 * calls, also of other processes, install once.
 */
export async function ensurePackages(
  root: string,
  gpu: Gpu | null,
  print: PrintLine,
  signal?: AbortSignal,
): Promise<string> {
  const binaries = binariesFor(gpu)
  const folder = path.join(root, [`node-llama-cpp-${NATIVE_VERSION}`, ...(gpu === null ? [] : [gpu])].join("-"))
  if (existsSync(folder)) return folder
  const onWait = () => print("Another process is installing the engine; waiting for it…")
  return withFolderLock(root, { onWait, signal }, async () => {
    if (existsSync(folder)) return folder
    print(`Installing node-llama-cpp ${NATIVE_VERSION}, once…`)
    const draft = await fs.mkdtemp(path.join(root, "install-"))
    const cache = path.join(root, "npm-cache")
    try {
      await install(draft, cache, binaries, signal)
      await fs.rename(draft, folder)
      // Kept until now, so that a start after an interrupted one does not fetch the same packages again.
      await fs.rm(cache, { recursive: true, force: true })
    } finally {
      await fs.rm(draft, { recursive: true, force: true })
    }
    return folder
  })
}
