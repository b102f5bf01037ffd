import pg from "pg"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { WriteCheck } from "@/lib/server/ledger/write-check"
import { openPool } from "@/lib/server/platform/db/connect"
import { runtime } from "@/lib/server/platform/runtime"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { gate } from "@/test/scripted-engine"
import { testService } from "@/test/service"
import { Readiness } from "./readiness"

const BODY = { model: "svc-decider-latest", state: "x", questions: { q: { type: "noul", instructions: "?" } } }
const READY = [200, { status: "ok", engine: "ok" }]
const notReady = (reason: string) => [503, { status: "unavailable", reason, engine: "ok" }]

const service = await testService()

async function readyz() {
  const response = await fetch(`${service.url}/readyz`)
  return [response.status, await response.json()]
}

const query = (sql: string) => runtime().pool.query(sql)

/** Makes every insert into this table fail as it does on a full disk. Returns a function that ends it. */
async function fillDisk(table: string, code = "53100"): Promise<() => Promise<unknown>> {
  await query(`CREATE FUNCTION fail_as_full() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '${code}'; END $$`)
  await query(`CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail_as_full()`)
  return () => query("DROP FUNCTION fail_as_full CASCADE")
}

/** Sets whether the database accepts writes, and ends its connections, so that new ones follow the setting. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const url = new URL(service.databaseUrl)
  const database = url.pathname.slice(1)
  url.pathname = "/postgres"
  const admin = new pg.Client(url.href)
  await admin.connect()
  await admin.query(`ALTER DATABASE ${database} SET default_transaction_read_only = ${isReadOnly ? "on" : "off"}`)
  // Waits until they have ended. The next statement could still be sent on one that is about to end.
  await admin.query("SELECT pg_terminate_backend(pid, 20_000) FROM pg_stat_activity WHERE datname = $1", [database])
  await admin.end()
}

describe("GET /readyz is 503 and says why", () => {
  it("while a database that can be read accepts no writes", async () => {
    expect(await readyz()).toEqual(READY)
    await setReadOnly(true)
    await expect.poll(readyz).toEqual(notReady("database_read_only"))
    await setReadOnly(false)
    await expect.poll(readyz).toEqual(READY)
  })

  it("while the disk of the database is full", async () => {
    const restore = await fillDisk("write_check")
    await expect.poll(readyz).toEqual(notReady("database_full"))
    await restore()
    await expect.poll(readyz).toEqual(READY)
  })

  it("while the ledger's writes fail, even if a trial succeeds", async () => {
    const { token } = await insertFastKey()
    for (const [code, reason] of [
      ["XX001", "ledger_writes_fail"],
      ["53100", "database_full"],
    ] as const) {
      const restore = await fillDisk("hold", code)
      expect((await service.decide(token, BODY)).status).toBe(500)
      expect(await readyz()).toEqual(notReady(reason))
      await restore()
    }
    await expect.poll(readyz).toEqual(READY)
    expect((await service.decide(token, BODY)).status).toBe(200)
  })

  it("while a lock keeps the ledger's tables from every write, also without requests", async () => {
    const blocker = await runtime().pool.connect()
    await blocker.query("BEGIN; LOCK TABLE ledger_entry IN SHARE MODE")
    await expect.poll(readyz).toEqual(notReady("ledger_writes_wait"))
    await blocker.query("ROLLBACK")
    blocker.release()
    await expect.poll(readyz).toEqual(READY)
  })

  it("while the process is about to stop", async () => {
    runtime().readiness.isDraining = true
    expect(await readyz()).toEqual(notReady("draining"))
    runtime().readiness.isDraining = false
    expect(await readyz()).toEqual(READY)
  })

  it("while the catalogue cannot be read", async () => {
    const fresh = vi.spyOn(runtime().catalogue, "fresh", "get").mockReturnValue(false)
    expect(await readyz()).toEqual(notReady("catalogue_outdated"))
    fresh.mockRestore()
  })
})

describe("a write check", () => {
  it("reports a database that does not respond within 3 s", async () => {
    const blocker = await runtime().pool.connect()
    await blocker.query("BEGIN; LOCK TABLE write_check")
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const fault = new WriteCheck(runtime().pool).findFault()
    await vi.advanceTimersByTimeAsync(3_000)
    vi.useRealTimers()
    expect(await fault).toBe("database_timeout")
    await blocker.query("ROLLBACK")
    blocker.release()
  })

  it("reports a database that refuses connections", async () => {
    const pool = openPool({ host: "127.0.0.1", port: await freePort(), user: "nobody", database: "none" })
    expect(await new WriteCheck(pool).findFault()).toBe("database_unreachable")
    await pool.end()
  })

  it("reports a full disk also when PostgreSQL has ended because of it", async () => {
    const pool = openPool({ host: "127.0.0.1", port: await freePort(), user: "nobody", database: "none" })
    expect(await new WriteCheck(pool, async () => 16 * 1024 * 1024).findFault()).toBe("database_unreachable")
    expect(await new WriteCheck(pool, async () => 16 * 1024 * 1024 - 1).findFault()).toBe("database_full")
    const check = new WriteCheck(pool)
    const full = Object.assign(new pg.DatabaseError("could not extend file", 1, "error"), { code: "53100" })
    await expect(check.track(() => Promise.reject(full))).rejects.toBe(full)
    expect(await check.findFault()).toBe("database_full")
    await pool.end()
  })

  it("needs no write of its own right after one of the ledger, and one per second otherwise", async () => {
    const sent = vi.spyOn(runtime().pool, "query")
    let nowMs = Math.ceil(performance.now())
    const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs)
    const check = new WriteCheck(runtime().pool)
    await check.track(async () => "written")
    expect([await check.findFault(), sent.mock.calls.length]).toEqual([null, 0])
    const idle = new WriteCheck(runtime().pool)
    await Promise.all([idle.findFault(), idle.findFault()])
    nowMs += 999
    expect([await idle.findFault(), sent.mock.calls.length]).toEqual([null, 1])
    nowMs += 1
    expect([await idle.findFault(), sent.mock.calls.length]).toEqual([null, 2])
    clock.mockRestore()
    sent.mockRestore()
  })

  it("reports writes that wait for over 5 s without one success, until one succeeds", async () => {
    let nowMs = Math.ceil(performance.now())
    const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs)
    const check = new WriteCheck(runtime().pool)
    const { wait, open } = gate()
    const waiting = check.track(wait)
    nowMs += 5_000
    expect(await check.findFault()).toBeNull()
    nowMs += 1_001
    expect(await check.findFault()).toBe("ledger_writes_wait")
    await check.track(async () => "another account's write")
    nowMs += 5_000
    expect(await check.findFault()).toBeNull()
    nowMs += 1_001
    expect(await check.findFault()).toBe("ledger_writes_wait")
    open()
    await waiting
    expect(await check.findFault()).toBeNull()
    clock.mockRestore()
  })

  it("knows since when the ledger cannot be written", async () => {
    const check = new WriteCheck(runtime().pool)
    const restore = await fillDisk("write_check")
    const before = Date.now()
    await check.findFault()
    const since = check.failingSince?.getTime() ?? 0
    expect(since - before).toBeGreaterThanOrEqual(0)
    await check.findFault()
    expect(check.failingSince?.getTime()).toBe(since)
    await restore()
    await expect.poll(() => check.findFault()).toBeNull()
    expect(check.failingSince).toBeNull()
  })

  it("does not count an error that concerns one request only", async () => {
    const check = new WriteCheck(runtime().pool)
    for (const code of ["23505", "22003", "40P01"]) {
      const error = Object.assign(new pg.DatabaseError("refused", 1, "error"), { code })
      await expect(check.track(() => Promise.reject(error))).rejects.toBe(error)
    }
    expect(await check.findFault()).toBeNull()
  })
})

it("an outage is logged once a minute while its reason alternates, and its end at once", async () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  onTestFinished(() => void vi.useRealTimers())
  const { log, writes } = runtime()
  const lines: unknown[] = []
  const keep = (_message: string, fields?: object) => void lines.push(fields)
  const mocks = [vi.spyOn(log, "warn").mockImplementation(keep), vi.spyOn(log, "info").mockImplementation(keep)]
  const findFault = vi.spyOn(writes, "findFault")
  onTestFinished(() => {
    for (const mock of [...mocks, findFault]) mock.mockRestore()
  })
  const readiness = new Readiness()
  const look = async (fault: "database_timeout" | "database_unreachable" | null) => {
    findFault.mockResolvedValueOnce(fault)
    expect(await readiness.findReason()).toBe(fault)
    vi.advanceTimersByTime(15_000)
  }
  for (const _ of [0, 1, 2]) {
    await look("database_timeout")
    await look("database_unreachable")
  }
  await look(null)
  expect(lines).toMatchObject([
    { event: "readiness.lost", reason: "database_timeout" },
    { event: "readiness.lost", reason: "database_unreachable" },
    { event: "readiness.restored" },
  ])
})
