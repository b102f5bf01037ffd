import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import path from "node:path"
import type pg from "pg"
import { beforeEach, describe, expect, it, vi } from "vitest"
import { checkLedger } from "@/lib/server/ledger/verify-ledger"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { openPool } from "@/lib/server/platform/db/connect"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { migrate } from "@/lib/server/platform/db/migrate"
import { readRelease } from "@/lib/server/platform/db/release"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { lockSigningKey } from "@/lib/server/signing/signing-keys"
import { digests, relations } from "@/test/compare-databases"
import { insertFastKey } from "@/test/insert-rows"
import { operatorJson as json, operator } from "@/test/operator"
import { onScratchDatabase } from "@/test/scratch-database"
import { scratchUrl } from "@/test/scratch-url"
import { startServer } from "@/test/server-process"
import { testService } from "@/test/service"
import { tempFolder } from "@/test/temp-folder"
import { waitsForLock } from "@/test/waits-for-lock"

const SECRET = "a-generated-secret-of-32-characters-or-more"

const service = await testService()
await service.runtime.pool.query("UPDATE model SET price_pico = 1000 WHERE id = 'svc-lexical-baseline-1'")
await loadCatalogue(runtime())
const { token } = await insertFastKey()
const dir = tempFolder()
await mkdir(path.join(dir, "data"))
await writeFile(path.join(dir, "data/auth-secret"), `${SECRET}\n`)
beforeEach(() => {
  vi.stubEnv("BASE_URL", "")
  vi.stubEnv("DATABASE_URL", service.databaseUrl)
  vi.stubEnv("DATA_DIR", path.join(dir, "data"))
  return () => void vi.unstubAllEnvs()
})

const inDir = (name: string) => path.join(dir, name)
const restore = (file: string, into: string) => operator("backup", "restore", file, "--into", into, "--json")

const decide = () =>
  service.decide(token, {
    model: "svc-lexical-baseline-1",
    state: 'A "quoted" text, a \\ backslash, ünïcode, and\na line break.',
    questions: { late: { type: "noul", instructions: "Was it late?" } },
  })

const failing = async (pool: pg.Pool) => (await checkLedger(pool)).filter(({ ok }) => !ok)

describe("a backup", () => {
  it("that was taken under load restores into a database whose ledger is exact", async () => {
    const file = inDir("under-load.backup")
    let running = true
    let answered = 0
    const client = async () => {
      for (; running; answered++) expect((await decide()).status).toBe(200)
    }
    const clients = [client(), client(), client()]
    // Stops the backup between the tables of balances and of charges, while requests go on.
    const blocker = await service.runtime.pool.connect()
    await blocker.query("BEGIN; LOCK app_user IN ACCESS EXCLUSIVE MODE")
    const making = json("backup", "create", file)
    await waitsForLock()
    const before = answered
    await expect.poll(() => answered).toBeGreaterThan(before + 10)
    await blocker.query("COMMIT")
    blocker.release()
    const made = await making
    running = false
    await Promise.all(clients)
    const { size, mode } = await stat(file)
    const sha256 = createHash("sha256")
      .update(await readFile(file))
      .digest("hex")
    const schema = (await readRelease()).migrations.at(-1)?.name
    const taken_at = expect.stringMatching(/^20.+Z$/)
    expect(made).toEqual({ file, bytes: size, sha256, schema, taken_at, encrypted: false, left_out: [] })
    expect(mode & 0o777).toBe(0o600)
    await onScratchDatabase(async (pool) => {
      expect((await restore(file, scratchUrl(pool))).code).toBe(0)
      expect(await failing(pool)).toEqual([])
    })
  })

  it("restores every row into a folder and into a database, with the secret, the sequences and the triggers", async () => {
    await decide()
    // A grant changes by itself while it is open.
    await service.runtime.grants.close()
    const OPEN = "SELECT FROM credit_grant c JOIN hold h ON h.id = c.hold_id WHERE h.state = 'held'"
    await expect.poll(async () => (await service.runtime.pool.query(OPEN)).rowCount).toBe(0)
    const { publicKey } = await inTransaction(service.runtime.pool, (client) => lockSigningKey(client, runtime()))
    const file = inDir("whole.backup")
    await json("backup", "create", file)
    const source = await digests(service.runtime.pool)
    expect(Object.keys(source).length).toBeGreaterThan(15)
    const restored = await restore(file, inDir("restored"))
    expect([restored.code, restored.err]).toEqual([0, ""])
    expect((await readdir(inDir("restored"))).sort()).toEqual(["auth-secret", "postgres"])
    expect(await readFile(inDir("restored/auth-secret"), "utf8")).toBe(`${SECRET}\n`)
    const embedded = await startEmbedded(inDir("restored"), "command", ["fsync=off"])
    const pool = openPool(embedded.config)
    expect(await digests(pool)).toEqual(source)
    expect(await inTransaction(pool, (client) => lockSigningKey(client, runtime()))).toMatchObject({ publicKey })
    await pool.end()
    await embedded.release()
    await onScratchDatabase(async (own) => {
      expect((await restore(file, scratchUrl(own))).code).toBe(0)
      expect(await digests(own)).toEqual(source)
      const { rows } = await own.query("SELECT id, account_id FROM ledger_entry ORDER BY id DESC LIMIT 1")
      const next = await own.query(
        "INSERT INTO audit_event (actor, action) VALUES ('operator', 'x') RETURNING id > (SELECT count(*) FROM audit_event) - 1 AS ok",
      )
      expect(next.rows).toEqual([{ ok: true }])
      await own.query("SELECT post_entry($1, 'credit', 1, 'after')", [rows[0].account_id])
      await expect(own.query("DELETE FROM ledger_entry")).rejects.toThrow("append-only")
      expect(await failing(own)).toEqual([])
    })
  })

  it("restored into a folder, a server on it accepts the same keys and charges the same balances", async () => {
    await decide()
    const file = inDir("served.backup")
    await json("backup", "create", file)
    expect((await restore(file, inDir("served"))).code).toBe(0)
    const embedded = await startEmbedded(inDir("served"), "command", ["fsync=off"])
    const { config } = embedded
    const pool = openPool(config)
    const balanceIn = async (database: pg.Pool) => {
      const { rows } = await database.query<{ sum: string }>("SELECT sum(balance_pico) FROM account")
      return BigInt(rows[0]?.sum ?? 0)
    }
    const before = await balanceIn(pool)
    expect(before).toBe(await balanceIn(service.runtime.pool))
    const url = `postgres://${config.user}@localhost:${config.port}/${config.database}?host=${encodeURIComponent(config.host ?? "")}`
    // Without AUTH_SECRET, the server takes the one of the folder.
    const server = await startServer(url, { DATA_DIR: inDir("served"), AUTH_SECRET: "" })
    const answered = await fetch(`${server.url}/v1/decisions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: '{"model":"svc-lexical-baseline-1","state":"x","questions":{"q":{"type":"noul","instructions":"?"}}}',
    })
    const { usage } = (await answered.json()) as { usage: { input_tokens: number } }
    expect([answered.status, usage.input_tokens > 0]).toEqual([200, true])
    server.signal("SIGTERM")
    expect(await server.ended).toBe(0)
    expect(await balanceIn(pool)).toBe(before - 1_000n * BigInt(usage.input_tokens))
    expect(await failing(pool)).toEqual([])
    await pool.end()
    await embedded.release()
  })

  it("of an older schema is migrated when it is restored", async () => {
    const { migrations } = await readRelease()
    await onScratchDatabase(async (source) => {
      const release = { migrations: migrations.slice(0, 1), functions: { version: 0, functions: [] } }
      await migrate(source, release)
      await source.query("INSERT INTO account (id, balance_pico) VALUES ('00000000-0000-7000-8000-000000000001', 0)")
      vi.stubEnv("DATABASE_URL", scratchUrl(source))
      const made = await json("backup", "create", inDir("older.backup"))
      expect(made.schema).toBe(migrations[0]?.name)
      await onScratchDatabase(async (pool) => {
        expect((await restore(made.file, scratchUrl(pool))).code).toBe(0)
        expect(await migrate(pool)).toEqual({ migrations: [], functions: [] })
        expect((await pool.query("SELECT status FROM account")).rows).toEqual([{ status: "active" }])
      })
    })
  })

  it("replaces no file, and is refused for a database without a schema", async () => {
    const file = inDir("taken.backup")
    await writeFile(file, "precious")
    const again = await operator("backup", "create", file)
    expect(again).toEqual({ code: 1, out: "", err: `${file} exists already\n` })
    expect(await readFile(file, "utf8")).toBe("precious")
    await onScratchDatabase(async (pool) => {
      vi.stubEnv("DATABASE_URL", scratchUrl(pool))
      expect((await operator("backup", "create", inDir("empty.backup"))).code).toBe(1)
    })
    expect((await readdir(dir)).filter((name) => /empty|part/.test(name))).toEqual([])
  })

  it("keeps the newest files of its name, and no other file is removed", async () => {
    const folder = inDir("keep")
    await mkdir(folder)
    await writeFile(path.join(folder, "db-0.backup"), "not a backup")
    await writeFile(path.join(folder, "db-9.backup"), "cut off")
    const later = new Date(Date.now() + 3_600_000)
    await utimes(path.join(folder, "db-9.backup"), later, later)
    for (const name of ["db-1.backup", "db-2.backup", "other-1.backup", "db-3.backup"])
      await json("backup", "create", path.join(folder, name), "--keep", "2")
    expect((await readdir(folder)).sort()).toEqual([
      "db-0.backup",
      "db-2.backup",
      "db-3.backup",
      "db-9.backup",
      "other-1.backup",
    ])
  })
})

describe("backup copy", () => {
  it("moves an embedded database into another one, with one command and without a file that remains", async () => {
    vi.stubEnv("DATABASE_URL", "")
    vi.stubEnv("DATA_DIR", inDir("small"))
    const embedded = await startEmbedded(inDir("small"), "server", ["fsync=off"])
    const pool = openPool(embedded.config)
    await migrate(pool)
    await pool.query("INSERT INTO account (id, balance_pico) VALUES ('00000000-0000-7000-8000-000000000001', 0)")
    await onScratchDatabase(async (own) => {
      const args = ["backup", "copy", "--into", scratchUrl(own)]
      const refused = await operator(...args)
      expect([refused.code, refused.err]).toEqual([
        1,
        "A server uses this database. Stop it first: what it writes meanwhile would not be copied\n",
      ])
      expect(await relations(own)).toBe(0)
      const source = await digests(pool)
      await pool.end()
      await embedded.release()
      expect(await json(...args)).toMatchObject({ rows: 1 })
      expect(await digests(own)).toEqual(source)
    })
    expect((await readdir(inDir("small"))).sort()).toEqual(["postgres", "postgres.log"])
  })
})
