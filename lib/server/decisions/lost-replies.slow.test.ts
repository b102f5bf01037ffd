import pg from "pg"
import { describe, expect, it, vi } from "vitest"
import { sweepHolds } from "@/lib/server/ledger/sweep-holds"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { decideAs, interceptPool, ONE_NOUL } from "@/test/decide-directly"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { gate } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"

const TEN_CENTS = 100_000_000_000n
const UNCHARGED = { balance: 10n * TEN_CENTS, held: 0n, charges: 0 }
const CHARGED = { balance: 9n * TEN_CENTS, held: 0n, states: ["captured"], charges: 1 }

const scripted = scriptedService()

const newActor = () => insertPayer({ balancePico: 10n * TEN_CENTS })

const broken = () => new Error("Connection terminated unexpectedly")
const refusal = () => Object.assign(new pg.DatabaseError("division by zero", 0, "error"), { code: "22012" })

/** Runs `work` on a connection of its own, like an operator or another process. */
async function besides<T>(work: (client: pg.Client) => Promise<T>, database?: string): Promise<T> {
  const { host, port, user, database: own } = scripted.service.runtime.pool.options
  const client = new pg.Client({ host, port, user, database: database ?? own })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Shortens the next `AbortSignal.timeout` to one fiftieth of its duration. */
const hurry = () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, "timeout").mockImplementationOnce((ms) => timeout(ms / 50))
}

describe("a capture", () => {
  it("that fails before it reaches the database is retried", async () => {
    const { accountId, token } = await newActor()
    let failures = 0
    interceptPool((name, run) => (name === "charge-holds" && failures++ < 3 ? Promise.reject(broken()) : run()))
    expect((await scripted.service.decide(token, ONE_NOUL)).status).toBe(200)
    expect(failures).toBe(4)
    expect(await moneyOf(accountId)).toEqual(CHARGED)
  })

  it("that hangs returns 500 at the deadline, uncharged, and charges nothing when it runs later", async () => {
    const actor = await newActor()
    const deadline = new AbortController()
    const { wait, open } = gate()
    let late: Promise<unknown> = Promise.resolve()
    interceptPool((name, run) => {
      if (name !== "charge-holds") return run()
      setTimeout(() => deadline.abort(new ServiceError("upstream_timeout")), 100)
      late = wait().then(run)
      return late
    })
    await expect(decideAs(actor, deadline.signal)).rejects.toMatchObject({ code: "internal_error" })
    expect(await moneyOf(actor.accountId)).toMatchObject(UNCHARGED)
    open()
    expect(await late).toMatchObject({ rows: [{ state: "voided" }] })
    expect(await moneyOf(actor.accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })

  it("that the database refuses is not retried: 500, uncharged, nothing held", async () => {
    const { accountId, token } = await newActor()
    let tries = 0
    interceptPool((name, run) => {
      if (name !== "charge-holds") return run()
      tries++
      return Promise.reject(refusal())
    })
    expect((await scripted.service.decide(token, ONE_NOUL)).status).toBe(500)
    expect(tries).toBe(1)
    expect(await moneyOf(accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })

  it("of an expired hold returns 504, uncharged", async () => {
    const { accountId, token } = await newActor()
    scripted.engine.waitBeforeAnswer = async () => {
      await setLedgerClock("clock_timestamp() + interval '151 s'")
      await sweepHolds(runtime())
    }
    const response = await scripted.service.decide(token, ONE_NOUL)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ error: { type: "api_error", code: "upstream_timeout" } })
    expect(await moneyOf(accountId)).toMatchObject({ ...UNCHARGED, states: ["expired"] })
  })

  it("of more than the reserved amount never happens: 500, uncharged, nothing held", async () => {
    // Near the end of a balance, requests are counted before their hold.
    const balance = 10_000n * TEN_CENTS
    const { accountId, token } = await insertPayer({ balancePico: balance })
    scripted.engine.usedTokens = 1_001
    const response = await scripted.service.decide(token, ONE_NOUL)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: { code: "internal_error" } })
    expect(await moneyOf(accountId)).toMatchObject({ ...UNCHARGED, balance, states: ["voided"] })
  })

  it("of a hold that a database crash lost returns 500, uncharged", async () => {
    const { accountId, token } = await newActor()
    scripted.engine.waitBeforeAnswer = async () => {
      await besides(async (client) => {
        await client.query("BEGIN")
        await client.query("DELETE FROM hold WHERE account_id = $1", [accountId])
        await client.query("UPDATE account SET held_pico = 0 WHERE id = $1", [accountId])
        await client.query("UPDATE api_key SET held_pico = 0 WHERE account_id = $1", [accountId])
        await client.query("COMMIT")
      })
    }
    expect((await scripted.service.decide(token, ONE_NOUL)).status).toBe(500)
    expect(await moneyOf(accountId)).toEqual({ ...UNCHARGED, states: [] })
  })
})

describe("a database that is unreachable between hold and capture", () => {
  it("causes no 200, and after it returns nothing is charged or still held", async () => {
    const actor = await newActor()
    const name = scripted.service.runtime.pool.options.database
    const allow = (allowed: boolean) =>
      besides(async (client) => {
        await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`)
        if (allowed) return
        // Waits until they have ended. A charge could still use a connection that is about to end.
        await client.query("SELECT pg_terminate_backend(pid, 20_000) FROM pg_stat_activity WHERE datname = $1", [name])
      }, "postgres")
    scripted.engine.waitBeforeAnswer = () => allow(false)
    hurry()
    const deadline = new AbortController()
    let tries = 0
    interceptPool((name, run) => {
      // A deadline by time could come while the connections are being ended.
      if (name === "charge-holds" && ++tries === 3) deadline.abort(new ServiceError("upstream_timeout"))
      return run()
    })
    await expect(decideAs(actor, deadline.signal)).rejects.toMatchObject({ code: "internal_error" })
    await allow(true)
    await expect.poll(() => moneyOf(actor.accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })

  it("reverses a charge after it returns, if the request returned an error", async () => {
    const actor = await newActor()
    const deadline = new AbortController()
    let isGone = true
    interceptPool(async (name, run) => {
      if (name === "release" && isGone) throw broken()
      const answer = await run()
      if (name !== "charge-holds") return answer
      deadline.abort(new ServiceError("upstream_timeout"))
      throw broken()
    })
    hurry()
    await expect(decideAs(actor, deadline.signal)).rejects.toMatchObject({ code: "internal_error" })
    expect(await moneyOf(actor.accountId)).toEqual(CHARGED)
    isGone = false
    await expect.poll(() => moneyOf(actor.accountId)).toEqual({ ...CHARGED, balance: 10n * TEN_CENTS })
  })

  it("logs once why the database refuses to reverse a charge, and reverses it when it no longer does", async () => {
    const actor = await newActor()
    const deadline = new AbortController()
    let refusals = 0
    let refuses = true
    interceptPool(async (name, run) => {
      if (name === "release" && refuses) {
        refusals++
        throw refusal()
      }
      const answer = await run()
      if (name !== "charge-holds") return answer
      deadline.abort(new ServiceError("upstream_timeout"))
      throw broken()
    })
    const logged = vi.spyOn(scripted.service.runtime.log, "error")
    await expect(decideAs(actor, deadline.signal)).rejects.toMatchObject({ code: "internal_error" })
    // The first refusal is that of the request's own release.
    await expect.poll(() => refusals).toBeGreaterThan(2)
    refuses = false
    await expect.poll(() => moneyOf(actor.accountId)).toEqual({ ...CHARGED, balance: 10n * TEN_CENTS })
    const events = logged.mock.calls.map(([, fields]) => fields?.event)
    expect(events).toEqual(["charge.unknown", "charge.unresolved"])
  })
})
