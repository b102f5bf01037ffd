import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { brokenChecks, drawnCharges, moneyOf, setLedgerClock } from "@/test/ledger-state"
import { testScale } from "@/test/scale"
import { type Spender, startSpendProcess } from "@/test/spender"
import { sweepGrants } from "./grant-statements"
import { sweepHolds } from "./sweep-holds"

const PRICE = 100_000_000n
const MOST = 1_000
const COST = PRICE * BigInt(MOST)

const { databaseUrl } = await testRuntime()
const modelId = await insertModel()

const startSpender = (tokens: number, boundTokens?: number) =>
  startSpendProcess({ databaseUrl, modelId, pricePico: String(PRICE), maxTokens: MOST, tokens, boundTokens })

describe.each([1, 3])("with %i processes", (processes) => {
  const RUNS = testScale > 1 ? 25 : 1
  let spenders: Spender[]
  beforeAll(async () => {
    spenders = await Promise.all(Array.from({ length: processes }, () => startSpender(MOST)))
  })
  afterAll(() => Promise.all(spenders.map((spender) => spender.end())))

  it.each(["balance", "limit"] as const)(
    "a %s for 2,000 requests pays for exactly 2,000, many of them from grants",
    async (bound) => {
      for (let run = 0; run < RUNS; run++) {
        const room = 2_000n * COST
        const { accountId, keyId } = await insertPayer(
          bound === "balance" ? { balancePico: room } : { balancePico: 10n * room, limitPico: room, period: "daily" },
        )
        const ends = await Promise.all(spenders.map((spender) => spender.spend({ accountId, keyId })))
        const refused = bound === "balance" ? "insufficient" : "key_limit"
        expect(ends).toEqual(spenders.map(() => refused))
        expect(spenders.flatMap(({ charged }) => charged)).toHaveLength(2_000)
        expect(await moneyOf(accountId)).toMatchObject({ held: 0n, charges: 2_000 })
        expect(await drawnCharges(accountId)).toBeGreaterThan(400)
      }
      expect(await brokenChecks()).toEqual([])
    },
    150_000 * (1 + RUNS),
  )

  it(
    "a balance for 50 requests of ten cents pays for exactly 50: so near its end, there are no grants",
    async () => {
      for (let run = 0; run < 2 * RUNS; run++) {
        const { accountId, keyId } = await insertPayer({ balancePico: 50n * COST })
        const ends = await Promise.all(spenders.map((spender) => spender.spend({ accountId, keyId })))
        expect(ends).toEqual(spenders.map(() => "insufficient"))
        expect(await moneyOf(accountId)).toMatchObject({ balance: 0n, held: 0n, charges: 50 })
        expect(await drawnCharges(accountId)).toBe(0)
      }
    },
    150_000 * (1 + RUNS),
  )
})

describe("two processes that hold a quarter more than requests cost", () => {
  let spenders: Spender[]
  beforeAll(async () => {
    spenders = await Promise.all([startSpender(MOST, 1_250), startSpender(MOST, 1_250)])
  })
  afterAll(() => Promise.all(spenders.map((spender) => spender.end())))

  it.each([
    ["limit", 100],
    ["balance", 100],
    ["limit", 3_000],
    ["balance", 3_000],
  ] as const)(
    "spend a %s for %i requests on exactly as many",
    async (bound, requests) => {
      const room = BigInt(requests) * COST
      const { accountId, keyId } = await insertPayer(
        bound === "balance" ? { balancePico: room } : { balancePico: 10n * room, limitPico: room, period: "daily" },
      )
      const refused = bound === "balance" ? "insufficient" : "key_limit"
      const ends = await Promise.all(spenders.map((spender) => spender.spend({ accountId, keyId })))
      expect(ends).toEqual([refused, refused])
      expect(await moneyOf(accountId)).toMatchObject({ held: 0n, charges: requests })
      // The first of many are paid from grants.
      expect((await drawnCharges(accountId)) > 100).toBe(requests === 3_000)
      expect(await brokenChecks()).toEqual([])
    },
    150_000,
  )
})

describe("processes that are killed", () => {
  const KILLS = testScale > 1 ? 50 : 1
  it(
    "lose no charge that they confirmed, and what they held is free again after the lease",
    async () => {
      const limit = { limitPico: 900_000n * COST, period: "daily" } as const
      const { accountId, keyId } = await insertPayer({ balancePico: 1_000_000n * COST, ...limit })
      const confirmed: string[] = []
      for (let kill = 0; kill < KILLS; kill++) {
        const [one, other] = await Promise.all([startSpender(300), startSpender(300)])
        void one.spend({ accountId, keyId })
        void other.spend({ accountId, keyId })
        // Both are killed at work, at another moment each time.
        while (one.charged.length < 100 + 37 * kill || other.charged.length < 100)
          await once(one.child.stdout ?? one.child, "data")
        one.child.kill("SIGKILL")
        other.child.kill("SIGKILL")
        await Promise.all([one.exited, other.exited])
        confirmed.push(...one.charged, ...other.charged)
      }
      expect(await drawnCharges(accountId)).toBeGreaterThan(100 * KILLS)
      await setLedgerClock("clock_timestamp() + interval '6 s'")
      await sweepGrants(runtime())
      await setLedgerClock("clock_timestamp() + interval '160 s'")
      await sweepHolds(runtime())
      const { rows } = await runtime().pool.query<{ hold_id: string }>(
        "SELECT hold_id FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
        [accountId],
      )
      const charged = new Set(rows.map(({ hold_id: id }) => id))
      expect(confirmed.filter((id) => !charged.has(id))).toEqual([])
      // What a kill cut off after its charge: at most the requests that each process had in flight.
      expect(charged.size - confirmed.length).toBeLessThanOrEqual(2 * 8 * KILLS)
      expect(await moneyOf(accountId)).toMatchObject({ held: 0n })
      expect(await brokenChecks()).toEqual([])
      await setLedgerClock()
    },
    300_000 * KILLS,
  )
})
