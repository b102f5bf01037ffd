import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test, vi } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { ensurePackages, packagesFor } from "./engine-packages"

const DEBIAN = { platform: "linux", arch: "x64", glibc: "2.36" }
const PROCESSOR = ["node-llama-cpp@3.22.1", "@node-llama-cpp/linux-x64@3.22.1", "@huggingface/jinja@0.5.11"]

test("packages of a GPU are installed only when it is asked for", () => {
  expect(packagesFor(null, DEBIAN)).toEqual(PROCESSOR)
  expect(packagesFor("cuda", DEBIAN)).toEqual([
    "node-llama-cpp@3.22.1",
    "@node-llama-cpp/linux-x64@3.22.1",
    "@node-llama-cpp/linux-x64-cuda@3.22.1",
    "@node-llama-cpp/linux-x64-cuda-ext@3.22.1",
    "@huggingface/jinja@0.5.11",
  ])
  expect(packagesFor("metal", { platform: "darwin", arch: "arm64", glibc: undefined })).toEqual([
    "node-llama-cpp@3.22.1",
    "@node-llama-cpp/mac-arm64-metal@3.22.1",
    "@huggingface/jinja@0.5.11",
  ])
})

test("a system without glibc, a prebuilt binary or the GPU's binary is refused in one line", () => {
  expect(() => packagesFor(null, { ...DEBIAN, glibc: undefined })).toThrow(
    "The prebuilt llama.cpp needs glibc, which this system does not have (Alpine has musl). Use a Debian-based image. Run llama-server elsewhere and set ENGINE_URL instead of ENGINE_GGUF.",
  )
  expect(() => packagesFor(null, { ...DEBIAN, arch: "s390x" })).toThrow("no prebuilt llama.cpp for linux on s390x")
  expect(() => packagesFor("metal", DEBIAN)).toThrow("no prebuilt llama.cpp with metal for linux on x64")
})

test("npm keeps its cache below the engine's folder, because the rest may be read-only, and the cache is removed afterwards", async () => {
  const root = tempFolder()
  const npm = path.join(root, "npm.mjs")
  const program = `import fs from "node:fs"
    const { argv } = process
    fs.mkdirSync(argv[argv.indexOf("--cache") + 1])
    fs.writeFileSync("arguments.json", JSON.stringify(argv))`
  await writeFile(npm, program)
  vi.stubEnv("npm_execpath", npm)
  try {
    const folder = await ensurePackages(root, null, () => {})
    const used = JSON.parse(await readFile(path.join(folder, "arguments.json"), "utf8")) as string[]
    expect(used[used.indexOf("--cache") + 1]).toBe(path.join(root, "npm-cache"))
    expect((await readdir(root)).sort()).toEqual([path.basename(folder), "npm.mjs"])
  } finally {
    vi.unstubAllEnvs()
  }
})
