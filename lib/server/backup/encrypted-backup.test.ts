import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { generateX25519Identity } from "age-encryption"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { testRuntime } from "@/test/database"
import { operatorJson as json, operator } from "@/test/operator"
import { tempFolder } from "@/test/temp-folder"

const { databaseUrl } = await testRuntime()
const dir = tempFolder()
const inDir = (name: string) => path.join(dir, name)
const identity = await generateX25519Identity()
beforeEach(() => {
  const all = { BASE_URL: "", DATABASE_URL: databaseUrl, DATA_DIR: inDir("data"), BACKUP_KEY: identity }
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
  return () => void vi.unstubAllEnvs()
})

describe("an encrypted backup", () => {
  it("shows nothing without its key, and nothing with another one", async () => {
    const { file } = await json("backup", "create", inDir("secret.backup"))
    const bytes = await readFile(file)
    expect(bytes.toString("latin1")).toMatch(/^age-encryption\.org\/v1\n/)
    vi.stubEnv("BACKUP_KEY", "")
    const without = await operator("backup", "verify", file)
    expect([without.code, without.err]).toEqual([1, `${file} is encrypted. Set BACKUP_KEY or BACKUP_KEY_FILE\n`])
    vi.stubEnv("BACKUP_KEY", await generateX25519Identity())
    const another = await operator("backup", "verify", file)
    expect([another.code, another.err]).toEqual([1, `BACKUP_KEY does not decrypt ${file}\n`])
  })

  it("is read with a key in a file, as age-keygen writes it", async () => {
    const { file } = await json("backup", "create", inDir("from-file.backup"))
    await writeFile(inDir("key.txt"), `# created: 2026-11-28\n# public key: age1…\n${identity}\n`)
    vi.stubEnv("BACKUP_KEY", "")
    vi.stubEnv("BACKUP_KEY_FILE", inDir("key.txt"))
    expect(await json("backup", "verify", file)).toMatchObject({ encrypted: true })
  })

  it("is refused when a byte of it changed", async () => {
    const { file } = await json("backup", "create", inDir("changed.backup"))
    const bytes = await readFile(file)
    bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1
    await writeFile(inDir("changed.bad"), bytes)
    const { code, err } = await operator("backup", "verify", inDir("changed.bad"))
    expect([code, err]).toEqual([
      1,
      `${inDir("changed.bad")} is damaged, incomplete or not a backup: its encrypted bytes were changed\n`,
    ])
  })
})
