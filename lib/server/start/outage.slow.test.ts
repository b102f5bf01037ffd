import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { afterFile } from "@/test/after-file"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { startOwnPostgres } from "@/test/own-postgres"
import { gate } from "@/test/scripted-engine"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"
import { waitsForLock } from "@/test/waits-for-lock"

const BALANCE = 1_000_000_000_000n
/** For what takes the service at most 10 s: as much again, because other programs may use the processors. */
const WITHIN_MS = 20_000

const llama = await startLlamaCpp()
const postgres = await startOwnPostgres()
let server: ServerProcess
let token: string
let accountId: string

beforeAll(async () => {
  server = await startServer(postgres.url, { ENGINE_URL: llama.url })
  await vi.waitFor(async () => expect((await (await fetch(`${server.url}/readyz`)).json()).engine).toBe("ok"), 120_000)
  afterFile(async () => {
    server.signal("SIGTERM")
    await server.ended
    await llama.stop()
  })
})

beforeEach(async () => {
  llama.fault = null
  ;({ token, accountId } = await insertFastKey(BALANCE))
})

// Also after a test that failed, so that the next one has a database.
afterEach(async () => {
  await postgres.freeze(false)
  await postgres.start()
})

async function readyz(): Promise<[status: number, reason: string | undefined]> {
  const response = await fetch(`${server.url}/readyz`)
  return [response.status, (await response.json()).reason]
}

/** Returns the status as programs read it, and how long it took. */
async function status() {
  const startedAt = performance.now()
  const response = await fetch(`${server.url}/status.json`)
  const body = await response.json()
  const parts = new Map<string, { status: string; down_since: string | null }>(
    body.components.map((part: { component: string }) => [part.component, part]),
  )
  return { body, parts, tookMs: performance.now() - startedAt }
}

/** Returns how long an answer takes that needs neither the database nor memory. */
async function healthMs(): Promise<number> {
  const startedAt = performance.now()
  await (await fetch(`${server.url}/healthz`)).text()
  return performance.now() - startedAt
}

/** Sends a decision and stops or freezes PostgreSQL while the engine works on it. */
async function loseDatabaseWhileAnswering(lose: () => Promise<void>, headers: Record<string, string> = {}) {
  const { wait, open } = gate()
  llama.fault = { kind: "held", until: wait() }
  const answering = sendDecision(server.url, token, undefined, headers)
  await expect.poll(() => llama.working).toBe(1)
  await lose()
  const lostAt = performance.now()
  open()
  const response = await answering
  const { error } = (await response.json()) as { error?: { code: string } }
  return { status: response.status, code: error?.code, tookMs: performance.now() - lostAt }
}

const backAgain = () => expect.poll(readyz).toEqual([200, undefined])

describe("while PostgreSQL is stopped", () => {
  it("the process is not ready, its metrics say why, and its status says since when, from memory", async () => {
    expect(await readyz()).toEqual([200, undefined])
    expect([...(await status()).parts.keys()]).toEqual(expect.arrayContaining(["api", "database", "engine"]))
    const before = new Date()
    await postgres.stop()
    await expect.poll(async () => (await status()).parts.get("database")?.status).toBe("down")
    const times: { ofStatus: number; ofHealth: number }[] = []
    for (let i = 0; i < 20; i++) {
      times.push({ ofStatus: (await status()).tookMs, ofHealth: await healthMs() })
      await sleep(100)
    }
    const median = (of: keyof (typeof times)[0]) => times.map((each) => each[of]).toSorted((a, b) => a - b)[10] ?? 0
    expect(median("ofStatus")).toBeLessThan(10 * median("ofHealth") + 50)
    const { body, parts } = await status()
    const readAt = Date.now()
    expect(body.status).toBe("down")
    for (const name of ["api", "database"]) {
      const since = Date.parse(parts.get(name)?.down_since ?? "")
      expect(since).toBeGreaterThanOrEqual(before.getTime())
      expect(since).toBeLessThanOrEqual(readAt)
    }
    expect(parts.get("engine")).toMatchObject({ status: "up", down_since: null })
    expect(await readyz()).toEqual([503, "database_unreachable"])
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('svc_ready{reason="database_unreachable"} 0')
    await postgres.start()
    await backAgain()
    await expect.poll(async () => (await status()).parts.get("database")?.down_since).toBeNull()
  })

  it("a job that fails every second is logged once a minute", async () => {
    const linesBefore = server.written().length
    await postgres.stop()
    await sleep(6_000)
    await postgres.start()
    await backAgain()
    const lines = server
      .written()
      .slice(linesBefore)
      .split("\n")
      .filter((line) => line.includes('"job.failed"'))
    const jobs = lines.map((line) => JSON.parse(line).reason as string)
    expect(jobs).toEqual([...new Set(jobs)])
  })
})

describe("a request that waits for a lock when it loses its database", () => {
  const LOCK_ACCOUNT = "SELECT $2::bytea, 1 FROM account WHERE id = $1 FOR UPDATE"
  const CLAIM_KEY = `
    INSERT INTO idempotency_key (account_id, key_sha256, body_hmac, request_id, leased_until, expires_at)
    VALUES ($1, $2, $2, gen_random_uuid(), now(), now())`

  it.each([
    ["for its hold", LOCK_ACCOUNT, {}, () => postgres.stop(), () => postgres.start()],
    ["for its hold, without a reply", LOCK_ACCOUNT, {}, () => postgres.freeze(true), () => postgres.freeze(false)],
    [
      "for its claim, without a reply",
      CLAIM_KEY,
      { "idempotency-key": "k-1" },
      () => postgres.freeze(true),
      () => postgres.freeze(false),
    ],
  ])(
    "%s, ends within 10 s as internal_error, and holds nothing in the end",
    async (_what, lock, headers, lose, restore) => {
      const blocker = await runtime().pool.connect()
      // Also after a failure, so that the clean-up finds a pool without lent connections.
      onTestFinished(() => blocker.release(true))
      await blocker.query("BEGIN")
      await blocker.query(lock, [accountId, createHash("sha256").update(`${accountId} k-1`).digest()])
      const answering = sendDecision(server.url, token, undefined, headers)
      await waitsForLock()
      const lostAt = performance.now()
      await lose()
      const response = await answering
      const tookMs = performance.now() - lostAt
      await restore()
      await blocker.query("ROLLBACK").catch(() => {})
      await backAgain()
      expect([response.status, (await response.json()).error?.code]).toEqual([500, "internal_error"])
      expect(tookMs).toBeLessThan(WITHIN_MS)
      await expect.poll(() => moneyOf(accountId)).toMatchObject({ balance: BALANCE, held: 0n })
    },
  )
})

describe("a charge that loses its database", () => {
  it.each([
    ["stops", {}, () => postgres.stop(), () => postgres.start()],
    ["stops replying", {}, () => postgres.freeze(true), () => postgres.freeze(false)],
    [
      "stops replying, with a key",
      { "idempotency-key": "k-1" },
      () => postgres.freeze(true),
      () => postgres.freeze(false),
    ],
  ])(
    "that %s ends within 10 s as internal_error, and costs nothing in the end",
    async (_how, headers, lose, restore) => {
      const { status, code, tookMs } = await loseDatabaseWhileAnswering(lose, headers)
      await restore()
      await backAgain()
      expect([status, code]).toEqual([500, "internal_error"])
      expect(tookMs).toBeLessThan(WITHIN_MS)
      await expect.poll(() => moneyOf(accountId)).toMatchObject({ balance: BALANCE, held: 0n })
      expect((await verifyLedger(runtime(), { all: true })).ok).toBe(true)
    },
  )

  it("that returns within five seconds is paid once", async () => {
    // A busy machine may start PostgreSQL too late, which leaves no time for the charge. Then the test tries again.
    for (let awayMs = Number.POSITIVE_INFINITY; awayMs > 3_000; ) {
      ;({ token, accountId } = await insertFastKey(BALANCE))
      let starting = Promise.resolve(0)
      const { status } = await loseDatabaseWhileAnswering(async () => {
        await postgres.stop()
        const stoppedAt = performance.now()
        starting = postgres.start().then(() => performance.now() - stoppedAt)
      })
      awayMs = await starting
      await backAgain()
      if (awayMs > 3_000) continue
      expect(status).toBe(200)
      expect(await moneyOf(accountId)).toMatchObject({ held: 0n, states: ["captured"], charges: 1 })
    }
  })
})

it("a table lock that lets nobody be served ends readiness within ten seconds, and its end restores it", async () => {
  const blocker = await runtime().pool.connect()
  for (const table of ["hold", "api_key"]) {
    await blocker.query(`BEGIN; LOCK TABLE ${table}`)
    const deciding = sendDecision(server.url, token)
    await expect.poll(readyz, { timeout: WITHIN_MS }).toEqual([503, "ledger_writes_wait"])
    await sleep(3_000)
    expect(await readyz()).toEqual([503, "ledger_writes_wait"])
    await blocker.query("ROLLBACK")
    await deciding
    await backAgain()
  }
  blocker.release()
})
