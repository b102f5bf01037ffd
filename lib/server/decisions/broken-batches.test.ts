import pg from "pg"
import { afterEach, describe, expect, it, vi } from "vitest"
import { charge } from "@/lib/server/ledger/charge"
import { placeHold } from "@/lib/server/ledger/hold"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { interceptPool } from "@/test/decide-directly"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { brokenChecks, moneyOf } from "@/test/ledger-state"
import { gate } from "@/test/scripted-engine"

const BALANCE = 1_000_000n
const FACTS = { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } }
const UNCHARGED = { balance: BALANCE, held: 0n, charges: 0 }
const CHARGED = { balance: BALANCE - 3n, held: 0n, states: ["captured"], charges: 1 }

const { databaseUrl } = await testRuntime()
const modelId = await insertModel()
afterEach(async () => {
  vi.restoreAllMocks()
  expect(await brokenChecks()).toEqual([])
})

async function newRequest() {
  const actor = await insertPayer({ balancePico: BALANCE })
  return { id: newId(), actor, modelId, pricePico: pico(1n), maxTokens: 10 }
}
type Request = Awaited<ReturnType<typeof newRequest>>

const holdOf = ({ id, actor }: Request) => ({ id, accountId: actor.accountId })

/** Four concurrent requests, which share a statement. */
const newRequests = () => Promise.all([newRequest(), newRequest(), newRequest(), newRequest()])

async function withHolds(): Promise<Request[]> {
  const requests = await newRequests()
  await Promise.all(requests.map((request) => placeHold(runtime(), request)))
  return requests
}

const never = new AbortController().signal
const moneyOfAll = (requests: Request[]) => Promise.all(requests.map(({ actor }) => moneyOf(actor.accountId)))
const settled = async (work: Promise<unknown>[]) => (await Promise.allSettled(work)).map(({ status }) => status)
const chargeAll = (requests: Request[], signal = never) =>
  settled(requests.map((one) => charge(runtime(), holdOf(one), FACTS, signal)))
const placeAll = (requests: Request[], signal = never) =>
  settled(requests.map((one) => placeHold(runtime(), one, signal)))

const broken = () => new Error("Connection terminated unexpectedly")
const FULFILLED = Array(4).fill("fulfilled")

/** Waits until the statement that starts with this text waits for a lock, then terminates its connection. */
async function killWaiting(statement: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await runtime().pool.query(
          `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
          [`${statement}%`],
        )
        return rows
      },
      { interval: 5 },
    )
    .toEqual([{ ended: true }])
}

/** Runs `work` and terminates the connection of its statement while it waits for one request's account. */
async function killing(request: Request | undefined, statement: string, work: () => Promise<string[]>) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query("BEGIN")
    await client.query("SELECT 1 FROM account WHERE id = $1 FOR UPDATE", [request?.actor.accountId])
    const working = work()
    await killWaiting(statement)
    await client.query("COMMIT")
    return await working
  } finally {
    await client.end()
  }
}

describe("captures that share a statement", () => {
  it("are each retried when the connection ends before it is done, and charged once", async () => {
    const requests = await withHolds()
    expect(await killing(requests[2], "SELECT state FROM charge_holds", () => chargeAll(requests))).toEqual(FULFILLED)
    expect(await moneyOfAll(requests)).toEqual(Array(4).fill(CHARGED))
  })

  it("are each charged once when the reply is lost", async () => {
    const requests = await withHolds()
    const asked: (string | undefined)[] = []
    interceptPool(async (name, run) => {
      asked.push(name)
      const answer = await run()
      if (asked.filter((one) => one === "charge-holds").length === 1 && name === "charge-holds") throw broken()
      return answer
    })
    expect(await chargeAll(requests)).toEqual(FULFILLED)
    expect(asked[0]).toBe("charge-holds")
    expect(await moneyOfAll(requests)).toEqual(Array(4).fill(CHARGED))
  })

  it("all resolve as charged when every reply is lost until the deadline", async () => {
    const requests = await withHolds()
    const deadline = new AbortController()
    let losses = 0
    interceptPool(async (name, run) => {
      const answer = await run()
      if (name !== "charge-holds") return answer
      // An earlier deadline could release the holds before the first charge.
      if (++losses === 3) deadline.abort(new ServiceError("upstream_timeout"))
      throw broken()
    })
    expect(await chargeAll(requests, deadline.signal)).toEqual(FULFILLED)
    expect(await moneyOfAll(requests)).toEqual(Array(4).fill(CHARGED))
  })

  it.each([
    ["40P01", "they lose a deadlock"],
    ["57014", "a statement takes too long"],
    ["57P01", "the database is stopped"],
  ])("are retried when they are refused with %s: %s", async (code) => {
    const requests = await withHolds()
    let refusals = 0
    interceptPool((name, run) => {
      if (name !== "charge-holds" || refusals++ > 0) return run()
      return Promise.reject(Object.assign(new pg.DatabaseError("refused", 0, "error"), { code }))
    })
    expect(await chargeAll(requests)).toEqual(FULFILLED)
    expect(await moneyOfAll(requests)).toEqual(Array(4).fill(CHARGED))
  })

  it("succeed even if the database refuses one of them, which is not charged", async () => {
    const requests = await withHolds()
    const used = [3, 3, -1, 3]
    const charging = requests.map((one, i) => charge(runtime(), holdOf(one), { ...FACTS, tokens: used[i] ?? 0 }, never))
    expect(await settled(charging)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"])
    const [a, b, bad, d] = await moneyOfAll(requests)
    expect([a, b, d]).toEqual(Array(3).fill(CHARGED))
    expect(bad).toEqual({ ...UNCHARGED, states: ["voided"] })
  })

  it("for the same hold charge it once", async () => {
    const requests = await withHolds()
    const [first, second, third] = requests
    const twice = [first, second, second, third].flatMap((one) => one ?? [])
    expect(await chargeAll(twice)).toEqual(FULFILLED)
    expect(await moneyOfAll(requests.slice(0, 3))).toEqual(Array(3).fill(CHARGED))
  })
})

describe("holds that share a statement", () => {
  it.each(["before", "after"])("are all released when the connection ends %s it is done", async (when) => {
    const requests = await newRequests()
    const result =
      when === "before"
        ? await killing(requests[2], "SELECT * FROM admit_holds", () => placeAll(requests))
        : await (async () => {
            interceptPool(async (name, run) => {
              const answer = await run()
              if (name === "place-holds") throw broken()
              return answer
            })
            return placeAll(requests)
          })()
    expect(result).toEqual(Array(4).fill("rejected"))
    const states = when === "before" ? [] : ["voided"]
    expect(await moneyOfAll(requests)).toEqual(Array(4).fill({ ...UNCHARGED, states }))
  })

  it("are released for a request that was aborted, and stay for the others", async () => {
    const requests = await newRequests()
    const { wait, open } = gate()
    interceptPool(async (name, run) => {
      if (name === "place-holds") await wait()
      return run()
    })
    const gone = new AbortController()
    const setting = requests.map((one, i) => placeHold(runtime(), one, i === 2 ? gone.signal : never))
    gone.abort(new ServiceError("upstream_timeout"))
    await expect(setting[2]).rejects.toMatchObject({ code: "upstream_timeout" })
    open()
    expect(await settled(setting)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"])
    await expect
      .poll(async () => (await moneyOfAll(requests)).map(({ states, held }) => `${states} ${held}`))
      .toEqual(["held 10", "held 10", "voided 0", "held 10"])
  })
})
