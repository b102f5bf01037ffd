import { execFile, spawn } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { availableParallelism } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { NATIVE_VERSION } from "@/lib/server/engines/own/engine-packages"
import { afterFile } from "./after-file"
import { freePort } from "./free-port"
import { enginePackages } from "./own-engine"

const FOLDER = path.resolve("node_modules/.cache", `llama-server-${NATIVE_VERSION}`)
const DEBIAN_PACKAGES = { git: "git", cmake: "cmake", ninja: "ninja-build", "g++": "g++" }
const BUILD_LIMIT_MS = 45 * 60_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
/** Without optimisation for this processor, so that a build is quick and its figures are the same everywhere. */
const OPTIONS = [
  ...["CMAKE_BUILD_TYPE=Release", "CMAKE_CXX_FLAGS_RELEASE=-O1", "CMAKE_C_FLAGS_RELEASE=-O1", "BUILD_SHARED_LIBS=OFF"],
  ...[
    "GGML_NATIVE",
    "GGML_OPENMP",
    "GGML_LLAMAFILE",
    "LLAMA_BUILD_TESTS",
    "LLAMA_BUILD_EXAMPLES",
    "LLAMA_BUILD_APP",
  ].map((name) => `${name}=OFF`),
  ...["LLAMA_USE_PREBUILT_UI=OFF", "LLAMA_OPENSSL=OFF"],
].map((option) => `-D${option}`)

const run = (program: string, args: string[]) =>
  promisify(execFile)(program, args, { timeout: BUILD_LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES })

/** Throws with the Debian packages that are missing for a build. */
async function requireCompiler(): Promise<void> {
  const missing: string[] = []
  for (const [program, debianPackage] of Object.entries(DEBIAN_PACKAGES))
    await run(program, ["--version"]).catch(() => missing.push(debianPackage))
  if (missing.length > 0)
    throw new Error(`llama.cpp cannot be built here. Install the Debian packages ${missing.join(", ")}.`)
}

/**
 * Builds llama-server from the sources inside node-llama-cpp's package, where an earlier run ended. Returns its file. Rejects with
 * the Debian packages that are missing, and after 45 minutes.
 */
export async function builtLlamaServer(): Promise<string> {
  await requireCompiler()
  const [source, build] = [path.join(FOLDER, "source"), path.join(FOLDER, "build")]
  const bundle = path.join(await enginePackages(), "node_modules/node-llama-cpp/llama/gitRelease.bundle")
  await mkdir(source, { recursive: true })
  await run("git", ["init", "--quiet", source])
  await run("git", ["-C", source, "fetch", "--quiet", bundle, "HEAD"])
  await run("git", ["-C", source, "checkout", "--quiet", "--force", "FETCH_HEAD"])
  await run("cmake", ["-S", source, "-B", build, "-G", "Ninja", ...OPTIONS])
  await run("cmake", ["--build", build, "--target", "llama-server", "-j", String(availableParallelism())])
  return path.join(build, "bin/llama-server")
}

/** Serves a model as "tiny" until the test file ends. Returns the address. */
export async function startLlamaServer(program: string, model: string): Promise<string> {
  const port = await freePort()
  const args = ["--model", model, "--alias", "tiny", "--port", String(port), "-c", "73728", "-np", "4"]
  const child = spawn(program, args, { stdio: "ignore" })
  afterFile(() => child.kill())
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/health`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}`)
    await sleep(100)
  }
  return url
}
