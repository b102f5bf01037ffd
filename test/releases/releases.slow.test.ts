import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import type pg from "pg"
import { describe, expect, inject, it } from "vitest"
import { newSecret } from "@/lib/server/keys/secret"
import { migrate } from "@/lib/server/platform/db/migrate"
import { newId } from "@/lib/server/platform/ids"
import { definitions } from "@/test/compare-databases"
import { onScratchDatabase } from "@/test/scratch-database"
import { scratchUrl } from "@/test/scratch-url"
import { startServer } from "@/test/server-process"
import { tempFolder } from "@/test/temp-folder"

const FOLDER = "test/releases"
const RELEASES = readdirSync(FOLDER).flatMap((file) => /^(.+)\.sql\.gz$/.exec(file)?.[1] ?? [])

const DATA_DIR = tempFolder()

/** Runs an operator command in a process of its own. Returns what it printed. Rejects when it fails. */
async function operate(pool: pg.Pool, ...args: string[]) {
  const env = {
    NODE_ENV: "production" as const,
    AUTH_SECRET: "a-secret-for-tests-of-32-characters",
    DATA_DIR,
    DATABASE_URL: scratchUrl(pool),
  }
  const command = [path.join(inject("programs"), "operator.js"), ...args, "--json"]
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })
  return JSON.parse(stdout)
}

/** Fills an empty database as the release left its own. */
async function load(pool: pg.Pool, release: string): Promise<void> {
  const client = await pool.connect()
  await client.query(gunzipSync(readFileSync(`${FOLDER}/${release}.sql.gz`)).toString("utf8"))
  // The dump empties the search path of its session.
  client.release(true)
}

const ofThisVersion = () =>
  onScratchDatabase(async (pool) => {
    await migrate(pool)
    return definitions(pool)
  })

const balanceOfAda = async (pool: pg.Pool): Promise<bigint> => {
  const { rows } = await pool.query(
    "SELECT balance_pico FROM account a JOIN member m ON m.account_id = a.id JOIN app_user u ON u.id = m.user_id WHERE u.email = 'ada@example.com'",
  )
  return BigInt(rows[0].balance_pico)
}

/** Sends a request with a new key of Ada's account. Returns how many tokens were charged. */
async function decide(pool: pg.Pool, url: string): Promise<bigint> {
  const { token, sha256, masked } = newSecret("svcd_")
  await pool.query(
    `INSERT INTO api_key (id, account_id, name, masked, secret_sha256)
     SELECT $1, m.account_id, 'New', $2, $3 FROM member m JOIN app_user u ON u.id = m.user_id WHERE u.email = 'ada@example.com'`,
    [newId(), masked, sha256],
  )
  const response = await fetch(`${url}/v1/decisions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "svc-decider-latest",
      state: "The parcel arrived late.",
      questions: { late: { type: "noul", instructions: "Was it late?" } },
    }),
  })
  expect(response.status).toBe(200)
  return BigInt((await response.json()).usage.input_tokens)
}

describe.each(RELEASES)("version %s", (release) => {
  it("is opened by a server, which answers, charges its accounts and keeps its ledger exact", async () => {
    await onScratchDatabase(async (pool) => {
      await load(pool, release)
      const before = await balanceOfAda(pool)
      expect(before).toBe(32_999_999_780_000n)
      const server = await startServer(scratchUrl(pool), { AUTO_MIGRATE: "1", DATA_DIR })
      const tokens = await decide(pool, server.url)
      expect(tokens).toBeGreaterThan(0n)
      server.signal("SIGTERM")
      expect(await server.ended).toBe(0)
      expect(await balanceOfAda(pool)).toBe(before - tokens * 1_000n)
      expect(await operate(pool, "ledger", "verify")).toMatchObject({ ok: true })
    })
  })

  it("has the schema of a new database once it is migrated", async () => {
    await onScratchDatabase(async (pool) => {
      await load(pool, release)
      await migrate(pool)
      expect(await definitions(pool)).toEqual(await ofThisVersion())
    })
  })

  it("keeps who created its webhooks, as its audit log says", async () => {
    await onScratchDatabase(async (pool) => {
      await load(pool, release)
      await migrate(pool)
      const { rows } = await pool.query(
        "SELECT w.url, u.email FROM webhook_endpoint w LEFT JOIN app_user u ON u.id = w.created_by",
      )
      expect(rows).toEqual([{ url: "https://hooks.example.com/ada", email: "ada@example.com" }])
    })
  })

  it("left a backup that restores into the schema of a new database, with an exact ledger", async () => {
    await onScratchDatabase(async (pool) => {
      await operate(pool, "backup", "restore", `${FOLDER}/${release}.backup`, "--into", scratchUrl(pool))
      expect(await balanceOfAda(pool)).toBe(32_999_999_780_000n)
      expect(await definitions(pool)).toEqual(await ofThisVersion())
      expect(await operate(pool, "ledger", "verify")).toMatchObject({ ok: true })
    })
  })
})
