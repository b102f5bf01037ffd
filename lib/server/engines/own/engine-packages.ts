import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { npmCommand, npmEnv } from "@/lib/server/platform/env"
import { UnusableModel } from "./decision-type"
import { withFolderLock } from "./folder-lock"
import type { PrintLine } from "./progress"

/** The version of `node-llama-cpp`. It is part of what an id is pinned to: another one needs new ids. */
export const NATIVE_VERSION = "3.22.1"
const JINJA_VERSION = "0.5.11"
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

/** Returns the packages that a platform needs. Throws `UnusableModel` for one without prebuilt binaries. */
export function packagesFor(gpu: Gpu | null, { platform, arch, glibc }: Platform = thisPlatform()): string[] {
  const binaries = BINARIES[`${platform}-${arch}`]
  if (!binaries) throw new UnusableModel(`There is no prebuilt llama.cpp for ${platform} on ${arch}. ${OTHERWISE}`)
  if (platform === "linux" && glibc === undefined)
    throw new UnusableModel(
      `The prebuilt llama.cpp needs glibc, which this system does not have (Alpine has musl). Use a Debian-based image. ${OTHERWISE}`,
    )
  const extra = gpu === null ? [] : binaries.gpu[gpu]
  if (!extra)
    throw new UnusableModel(`There is no prebuilt llama.cpp with ${gpu} for ${platform} on ${arch}. ${OTHERWISE}`)
  const native = [binaries.processor, ...extra].map((name) => `@node-llama-cpp/${name}@${NATIVE_VERSION}`)
  return [`node-llama-cpp@${NATIVE_VERSION}`, ...native, `@huggingface/jinja@${JINJA_VERSION}`]
}

/**
 * Installs packages into an empty folder. The user's own cache may be on a read-only file system. No package runs a script, and
 * none of the optional binaries is fetched.
 */
async function install(folder: string, cache: string, packages: string[]): Promise<void> {
  await fs.writeFile(path.join(folder, "package.json"), '{ "name": "engine", "private": true }\n')
  const [command = "npm", ...first] = npmCommand()
  const flags = ["--save-exact", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"]
  const options = ["--prefix", folder, "--cache", cache, ...flags]
  try {
    await promisify(execFile)(command, [...first, "install", ...options, ...packages], {
      cwd: folder,
      env: npmEnv(),
      timeout: INSTALL_LIMIT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    })
  } catch (error) {
    const output = String((error as { stderr?: string }).stderr ?? "")
    const reason = /npm (?:ERR!|error) (?!code )(.+)/.exec(output)?.[1] ?? (error as Error).message
    throw new UnusableModel(
      `npm could not install node-llama-cpp ${NATIVE_VERSION}: ${reason.trim()}. Check the connection to the npm registry.`,
    )
  }
}

/**
 * Installs `node-llama-cpp` and this platform's binary below `root`, unless an earlier start did. Returns the folder. Concurrent
 * calls, also of other processes, install once.
 */
export async function ensurePackages(root: string, gpu: Gpu | null, print: PrintLine): Promise<string> {
  const packages = packagesFor(gpu)
  const folder = path.join(root, [`node-llama-cpp-${NATIVE_VERSION}`, ...(gpu === null ? [] : [gpu])].join("-"))
  if (existsSync(folder)) return folder
  const onWait = () => print("Another process is installing the engine; waiting for it…")
  return withFolderLock(root, onWait, async () => {
    if (existsSync(folder)) return folder
    print(`Installing node-llama-cpp ${NATIVE_VERSION}, once…`)
    const draft = await fs.mkdtemp(path.join(root, "install-"))
    const cache = path.join(root, "npm-cache")
    try {
      await install(draft, cache, packages)
      await fs.rename(draft, folder)
      // Kept until now, so that a start after an interrupted one does not fetch the same packages again.
      await fs.rm(cache, { recursive: true, force: true })
    } finally {
      await fs.rm(draft, { recursive: true, force: true })
    }
    return folder
  })
}
