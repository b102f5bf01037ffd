import { readdir } from "node:fs/promises"
import path from "node:path"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { newId } from "@/lib/server/platform/ids"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertPayer } from "@/test/insert-rows"
import { operatorJson as json, operator } from "@/test/operator"
import { rewriteBackup } from "@/test/rewrite-backup"
import { tempFolder } from "@/test/temp-folder"
import type { Bytes } from "./backup-format"
import { createBackup } from "./create-backup"
import { FolderPlace } from "./folder-place"

const { databaseUrl, pool } = await testRuntime()
const { accountId } = await insertPayer()
await postEntry(pool, { accountId, kind: "credit", amountPico: pico(2_500_000_000_000n), source: newId() })
const dir = tempFolder()
const inDir = (name: string) => path.join(dir, name)
const stub = () => {
  const all = { BASE_URL: "", DATABASE_URL: databaseUrl, DATA_DIR: inDir("data") }
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
}
stub()
const sound = inDir("sound.backup")
const made = await json("backup", "create", sound)
beforeEach(() => {
  stub()
  return () => void vi.unstubAllEnvs()
})

/** Returns where the rows of a table begin, and where the line that ends them is. */
function rowsOf(lines: string[], table: string): [number, number] {
  const first = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`)) + 1
  return [first, lines.indexOf("\\.", first)]
}

describe("backup verify", () => {
  it("shows what is in a file", async () => {
    const found = await json("backup", "verify", sound)
    expect(found).toMatchObject({ file: sound, sha256: made.sha256, bytes: made.bytes, schema: made.schema })
    const { rows } = await pool.query("SELECT sum(balance_pico)::text AS pico FROM account")
    const balance = `${(BigInt(rows[0].pico) / 1_000_000_000_000n).toString()}.`
    expect(found.balance_usd.startsWith(balance)).toBe(true)
    expect(found.ledger_usd).toBe(found.balance_usd)
    expect(found.tables.account).toBe(1)
  })

  it.each<[string, string, (lines: string[]) => string[]]>([
    ["a row is missing", "it has 0 rows of account, not 1", (lines) => lines.toSpliced(rowsOf(lines, "account")[0], 1)],
    [
      "a table is missing",
      "its tables are incomplete",
      (lines) => {
        const [first, end] = rowsOf(lines, "job_mark")
        return lines.toSpliced(first - 1, end - first + 3)
      },
    ],
    [
      "a balance is another one",
      "its balances are not those of the database",
      (lines) => lines.map((line) => line.replace(/^([0-9a-f-]{36}\t)\d+\t/, (_, id) => `${id}1\t`)),
    ],
    ["its last line is missing", "it ends too early", (lines) => [...lines.slice(0, -2), ""]],
    ["something follows its last line", "it goes on after its last line", (lines) => [...lines, "more"]],
  ])("refuses a file with a right checksum in which %s", async (_name, reason, edit) => {
    const bad = inDir("edited.backup")
    await rewriteBackup(sound, bad, edit)
    const { code, err } = await operator("backup", "verify", bad)
    expect([code, err]).toEqual([1, `${bad} is damaged, incomplete or not a backup: ${reason}\n`])
  })
})

it("a backup that a disk did not store as it was sent leaves no file", async () => {
  class BadDisk extends FolderPlace {
    override write(file: string, bytes: Bytes, check: (read: () => Bytes) => Promise<void>): Promise<void> {
      async function* flipped() {
        for await (const chunk of bytes) {
          const copy = Buffer.from(chunk)
          copy[copy.length - 1] = (copy[copy.length - 1] ?? 0) ^ 1
          yield copy
        }
      }
      return super.write(file, flipped(), check)
    }
  }
  const before = await readdir(dir)
  const target = { place: new BadDisk(dir), file: "flipped.backup" }
  await expect(createBackup(pool, target, { authSecret: null, key: null })).rejects.toThrow("is damaged, incomplete")
  expect(await readdir(dir)).toEqual(before)
})
