import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, test } from "vitest"
import { afterFile } from "@/test/after-file"

const folder = await mkdtemp(path.join(tmpdir(), "svcd-fingerprint-"))
afterFile(() => rm(folder, { recursive: true }))
await cp("scripts", path.join(folder, "scripts"), { recursive: true })
const { fingerprint } = (await import(path.join(folder, "scripts/fingerprint.mjs"))) as {
  fingerprint(): Promise<string>
}

test("a source that appears or changes changes the fingerprint", async () => {
  const empty = await fingerprint()
  expect(empty).toMatch(/^[0-9a-f]{64}$/)
  await writeFile(path.join(folder, "server.ts"), "1")
  const one = await fingerprint()
  await writeFile(path.join(folder, "server.ts"), "2")
  const two = await fingerprint()
  expect(new Set([empty, one, two])).toHaveProperty("size", 3)
})

test.each([
  ["next.config.ts", "EISDIR", (file: string) => mkdir(file)],
  ["lib", "ENOTDIR", (file: string) => writeFile(file, "")],
])("%s that cannot be read is an error, and not an absent source", async (name, code, replace) => {
  const file = path.join(folder, name)
  await replace(file)
  await expect(fingerprint()).rejects.toThrow(`A source of the build cannot be read: ${code}`)
  await rm(file, { recursive: true })
  expect(await fingerprint()).toMatch(/^[0-9a-f]{64}$/)
})
