import { execFile } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { generateX25519Identity } from "age-encryption"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { digests } from "@/test/compare-databases"
import { testRuntime } from "@/test/database"
import { operatorJson as json, operator } from "@/test/operator"
import { startS3 } from "@/test/s3-server"
import { onScratchDatabase } from "@/test/scratch-database"
import { scratchUrl } from "@/test/scratch-url"
import { tempFolder } from "@/test/temp-folder"
import type { Bytes } from "./backup-format"
import { S3Place } from "./s3-place"
import { backUpWhenDue } from "./scheduled-backup"

const MIB = 1024 * 1024
const { databaseUrl, pool, ...app } = await testRuntime()
const settings = await startS3("bucket")
const identity = await generateX25519Identity()
const dir = tempFolder()
const inDir = (name: string) => path.join(dir, name)
beforeEach(() => {
  const all = { BASE_URL: "", DATABASE_URL: databaseUrl, DATA_DIR: inDir("data"), ...settings }
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
  return () => void vi.unstubAllEnvs()
})
const place = (prefix: string) => new S3Place(readEnv(settings), `s3://bucket/${prefix}`)

async function* of(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000)
}

async function sha256Of(bytes: Bytes): Promise<string> {
  const hash = createHash("sha256")
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest("hex")
}

describe("a backup at a store that speaks S3", () => {
  it("of several parts is stored as it was, and appears only when it was read back", async () => {
    const content = randomBytes(40 * MIB)
    const sha256 = createHash("sha256").update(content).digest("hex")
    const store = place("parts")
    const check = async (read: () => Bytes) => expect(await sha256Of(read())).toBe(sha256)
    await store.write("large", of(content), check, 0)
    expect(await sha256Of(store.read("large"))).toBe(sha256)
    const refuse = () => Promise.reject(new Error("not what was sent"))
    await expect(store.write("wrong", of(content), refuse, 0)).rejects.toThrow("not what was sent")
    await expect(store.write("large", of(content), async () => {}, 0)).rejects.toThrow("exists already")
    expect((await store.list()).map(({ file }) => file)).toEqual(["large"])
  })

  it("ends its upload when the source fails, and leaves no part", async () => {
    async function* failing() {
      yield randomBytes(17 * MIB)
      throw new Error("the database went away")
    }
    await expect(place("failed").write("half", failing(), async () => {}, 0)).rejects.toThrow("went away")
    expect(await place("failed").list()).toEqual([])
    const uploads = await fetch(`${settings.AWS_ENDPOINT_URL}/bucket?uploads`)
    expect(await uploads.text()).not.toContain("<UploadId>")
  })

  it("is encrypted, verified and restored by commands, and the program age alone decrypts it", async () => {
    vi.stubEnv("BACKUP_KEY", identity)
    const made = await json("backup", "create", "s3://bucket/by-hand/one.backup")
    expect(made).toMatchObject({ file: "s3://bucket/by-hand/one.backup", encrypted: true })
    expect(await json("backup", "verify", made.file)).toMatchObject({ sha256: made.sha256, encrypted: true })
    await onScratchDatabase(async (target) => {
      await json("backup", "restore", made.file, "--into", scratchUrl(target))
      expect(await digests(target)).toEqual(await digests(pool))
    })
    const encrypted = inDir("one.backup")
    const response = await fetch(`${settings.AWS_ENDPOINT_URL}/bucket/by-hand/one.backup`)
    await writeFile(encrypted, Buffer.from(await response.arrayBuffer()))
    await writeFile(inDir("key.txt"), `# created: today\n${identity}\n`)
    const age = promisify(execFile)("age", ["--decrypt", "-i", inDir("key.txt"), "-o", inDir("plain"), encrypted])
    await age.catch((error) => {
      throw error.code === "ENOENT" ? new Error("age is missing. Install the Debian package age") : error
    })
    const plain = await readFile(inDir("plain"))
    expect(gunzipSync(plain.subarray(0, -32)).toString()).toMatch(/^\{"format":"svcd-backup"/)
    vi.stubEnv("BACKUP_KEY", "")
    expect(await json("backup", "verify", inDir("plain"))).toMatchObject({ encrypted: false })
  })

  it("is made when it is due, and the newest are kept", async () => {
    const env = readEnv({
      ...settings,
      DATABASE_URL: databaseUrl,
      BACKUP_URL: "s3://bucket/due",
      BACKUP_EVERY_HOURS: "24",
      BACKUP_KEEP: "2",
      BACKUP_KEY: identity,
    })
    const runtime = { ...app, pool, databaseUrl, env }
    for (const day of [1, 2, 3]) await backUpWhenDue(runtime, new Date(Date.UTC(2099, 1, day)))
    const files = (await place("due").list()).map(({ file }) => file).sort()
    expect(files).toEqual(["decisions-20990202T000000Z.backup", "decisions-20990203T000000Z.backup"])
  })

  it("fails with one line that has no credential, for a missing bucket and a store that is unreachable", async () => {
    const missing = await operator("backup", "create", "s3://elsewhere/one.backup")
    expect([missing.code, missing.err]).toEqual([
      1,
      "The store could not begin an upload: S3 returned 404 – NoSuchBucket\n",
    ])
    vi.stubEnv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    const unreachable = await operator("backup", "verify", "s3://bucket/one.backup")
    expect([unreachable.code, unreachable.err.split("\n").length, unreachable.err]).toEqual([
      1,
      2,
      expect.not.stringContaining("canary"),
    ])
  })
})
