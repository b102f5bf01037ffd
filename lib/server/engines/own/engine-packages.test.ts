import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test, vi } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { binariesFor, ensurePackages, projectFor } from "./engine-packages"

const DEBIAN = { platform: "linux", arch: "x64", glibc: "2.36" }

test("binaries of a GPU are installed only when it is asked for", () => {
  expect(binariesFor(null, DEBIAN)).toEqual(["@node-llama-cpp/linux-x64"])
  expect(binariesFor("cuda", DEBIAN)).toEqual([
    "@node-llama-cpp/linux-x64",
    "@node-llama-cpp/linux-x64-cuda",
    "@node-llama-cpp/linux-x64-cuda-ext",
  ])
  const mac = { platform: "darwin", arch: "arm64", glibc: undefined }
  expect(binariesFor("metal", mac)).toEqual(["@node-llama-cpp/mac-arm64-metal"])
})

test.each([
  ["linux", "x64", null],
  ["linux", "x64", "cuda"],
  ["linux", "x64", "vulkan"],
  ["linux", "arm64", null],
] as const)("each package for %s on %s with the GPU %s has a reviewed SHA-512", (platform, arch, gpu) => {
  const binaries = binariesFor(gpu, { ...DEBIAN, platform, arch })
  const { manifest, lock } = projectFor(binaries)
  const { "": root, ...packages } = lock.packages
  expect(root.dependencies).toEqual(manifest.dependencies)
  expect(manifest.dependencies).toMatchObject({ "node-llama-cpp": "3.22.1", "@huggingface/jinja": "0.5.11" })
  expect(Object.keys(packages).filter((place) => place.includes("@node-llama-cpp"))).toEqual(
    binaries.map((name) => `node_modules/${name}`),
  )
  for (const [place, entry] of Object.entries(packages))
    expect(entry, place).toMatchObject({ integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/) })
})

test("a binary for macOS, which the reviewed list lacks, has the version but no hash", () => {
  const { lock } = projectFor(["@node-llama-cpp/mac-x64"])
  expect(lock.packages).toMatchObject({
    "node_modules/@node-llama-cpp/mac-x64": { version: "3.22.1", optional: false },
  })
})

test("a system without glibc, a prebuilt binary or the GPU's binary is refused in one line", () => {
  expect(() => binariesFor(null, { ...DEBIAN, glibc: undefined })).toThrow(
    "The prebuilt llama.cpp needs glibc, which this system does not have (Alpine has musl). Use a Debian-based image. Run llama-server elsewhere and set ENGINE_URL instead of ENGINE_GGUF.",
  )
  expect(() => binariesFor(null, { ...DEBIAN, arch: "s390x" })).toThrow("no prebuilt llama.cpp for linux on s390x")
  expect(() => binariesFor("metal", DEBIAN)).toThrow("no prebuilt llama.cpp with metal for linux on x64")
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
