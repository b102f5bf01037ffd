import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { expect, test, vi } from "vitest"
import { enginePackages } from "@/test/own-engine"
import { tempFolder } from "@/test/temp-folder"
import { ensurePackages } from "./engine-packages"

test("the engine is installed once into a folder of its own, without GPU packages and without scripts", {
  timeout: 240_000,
}, async () => {
  const [folder, again] = await Promise.all([enginePackages(), enginePackages()])
  expect(again).toBe(folder)
  const lines: string[] = []
  expect(await ensurePackages(path.dirname(folder), null, (line) => void lines.push(line))).toBe(folder)
  expect(lines).toEqual([])
  expect(await readdir(path.join(folder, "node_modules/@node-llama-cpp"))).toEqual([`linux-${process.arch}`])
  expect(existsSync(path.join(folder, "node_modules/node-llama-cpp/llama/localBuilds"))).toBe(false)
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8"))
  expect(Object.keys(dependencies)).not.toContain("node-llama-cpp")
})

test("a package that is not the reviewed one is not installed", { timeout: 240_000 }, async () => {
  vi.resetModules()
  vi.doMock("./packages/package-lock.json", async (original) => {
    const { default: lock } = await original<{ default: { packages: Record<string, object> } }>()
    const changed = { ...lock.packages["node_modules/bytes"], integrity: `sha512-${"A".repeat(86)}==` }
    return { default: { ...lock, packages: { ...lock.packages, "node_modules/bytes": changed } } }
  })
  try {
    const { ensurePackages: installOther } = await import("./engine-packages")
    const root = tempFolder()
    await expect(installOther(root, null, () => {})).rejects.toThrow(
      /^npm could not install node-llama-cpp 3\.22\.1: Integrity checksum failed .+\. The registry sent another package than the reviewed one: set another registry\.$/i,
    )
    expect((await readdir(root)).filter((name) => name.startsWith("node-llama-cpp"))).toEqual([])
  } finally {
    vi.doUnmock("./packages/package-lock.json")
    vi.resetModules()
  }
})
