import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { migrate } from "@/lib/server/platform/db/migrate"
import { createMigration, readRelease } from "@/lib/server/platform/db/release"
import { relations } from "@/test/compare-databases"
import { testRuntime } from "@/test/database"
import { operatorJson as json, operator } from "@/test/operator"
import { onScratchDatabase } from "@/test/scratch-database"
import { scratchUrl } from "@/test/scratch-url"
import { tempFolder } from "@/test/temp-folder"

const { databaseUrl } = await testRuntime()
const dir = tempFolder()
const inDir = (name: string) => path.join(dir, name)
const stubDatabase = () => {
  vi.stubEnv("BASE_URL", "")
  vi.stubEnv("DATABASE_URL", databaseUrl)
  vi.stubEnv("DATA_DIR", inDir("data"))
}
const file = inDir("sound.backup")
stubDatabase()
await json("backup", "create", file)
const whole = await readFile(file)
beforeEach(() => {
  stubDatabase()
  return () => void vi.unstubAllEnvs()
})

const restore = (from: string, into: string) => operator("backup", "restore", from, "--into", into, "--json")

describe("a restore is refused and changes nothing", () => {
  const flipped = (at: number) => {
    const copy = Buffer.from(whole)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }

  it.each([
    ["a flipped byte in the head", () => flipped(4)],
    ["a flipped byte in the middle", () => flipped(Math.floor(whole.length / 2))],
    ["a flipped byte in the checksum", () => flipped(whole.length - 1)],
    ["a missing byte at the end", () => whole.subarray(0, -1)],
    ["the first half alone", () => whole.subarray(0, whole.length / 2)],
    ["a byte too many", () => Buffer.concat([whole, Buffer.from("x")])],
    ["no bytes", () => Buffer.alloc(0)],
  ])("for a file with %s", async (_name, bytes) => {
    const bad = inDir("bad.backup")
    await writeFile(bad, bytes())
    const { code, out, err } = await restore(bad, inDir("never"))
    expect([code, out, err.split("\n").length]).toEqual([1, "", 2])
    expect(existsSync(inDir("never"))).toBe(false)
    await onScratchDatabase(async (pool) => {
      expect((await restore(bad, scratchUrl(pool))).code).toBe(1)
      expect(await relations(pool)).toBe(0)
    })
  })

  it("for a folder and for a database with something in it", async () => {
    await mkdir(inDir("full"))
    await writeFile(inDir("full/note"), "precious")
    expect(await restore(file, inDir("full"))).toEqual({ code: 1, out: "", err: `${inDir("full")} is not empty\n` })
    expect(await readdir(inDir("full"))).toEqual(["note"])
    await onScratchDatabase(async (pool) => {
      await pool.query("CREATE TABLE note (text text)")
      expect((await restore(file, scratchUrl(pool))).err).toBe("The database is not empty: it has note\n")
      expect(await relations(pool)).toBe(1)
    })
  })

  it("for a backup of a newer schema", async () => {
    const { migrations } = await readRelease()
    await onScratchDatabase(async (source) => {
      await migrate(source, { migrations: [...migrations, createMigration("29990101000000_new", "SELECT 1")] })
      vi.stubEnv("DATABASE_URL", scratchUrl(source))
      await json("backup", "create", inDir("newer.backup"))
    })
    await onScratchDatabase(async (pool) => {
      const { code, err } = await restore(inDir("newer.backup"), scratchUrl(pool))
      expect([code, err]).toEqual([
        1,
        "The backup has a newer schema (29990101000000_new). Restore it with the version that made it\n",
      ])
      expect(await relations(pool)).toBe(0)
    })
    expect((await restore(inDir("newer.backup"), inDir("never"))).code).toBe(1)
    expect(existsSync(inDir("never"))).toBe(false)
  })
})
