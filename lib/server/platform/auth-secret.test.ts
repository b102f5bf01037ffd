import * as fs from "node:fs/promises"
import * as path from "node:path"
import { expect, test } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { ensureAuthSecret } from "./auth-secret"

const root = tempFolder()

test("the secret of the settings wins and nothing is written", async () => {
  const folder = path.join(root, "given")
  expect(await ensureAuthSecret({ AUTH_SECRET: "x".repeat(32), DATA_DIR: folder })).toBe("x".repeat(32))
  await expect(fs.stat(folder)).rejects.toThrow("ENOENT")
})

test("twenty concurrent starts agree on one secret, which the next start reads", async () => {
  const folder = path.join(root, "made")
  const env = { AUTH_SECRET: undefined, DATA_DIR: folder }
  const secrets = await Promise.all(Array.from({ length: 20 }, () => ensureAuthSecret(env)))
  expect(new Set(secrets).size).toBe(1)
  expect(secrets[0]).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await ensureAuthSecret(env)).toBe(secrets[0])
  expect(await fs.readdir(folder)).toEqual(["auth-secret"])
  expect((await fs.stat(path.join(folder, "auth-secret"))).mode & 0o777).toBe(0o600)
})

test("an invalid secret file is reported, not replaced", async () => {
  const folder = path.join(root, "broken")
  await fs.mkdir(folder)
  await fs.writeFile(path.join(folder, "auth-secret"), "short\n")
  await expect(ensureAuthSecret({ AUTH_SECRET: undefined, DATA_DIR: folder })).rejects.toThrow(
    "remove it and start again",
  )
})
