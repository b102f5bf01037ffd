import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { enginePackages } from "@/test/own-engine"
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
