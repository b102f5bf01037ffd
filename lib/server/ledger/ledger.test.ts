import { describe, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { testScale } from "@/test/scale"
import { capture, placeHold, release } from "./hold"
import { postEntry } from "./post-entry"
import { sweepHolds } from "./sweep-holds"
import { verifyLedger } from "./verify-ledger"

const TEN_CENTS = 100_000_000_000n
const FACTS = { latencyMs: 1, questionCounts: { noul: 1 } }

await testRuntime()
const modelId = await insertModel()

interface Key {
  accountId: string
  keyId: string
}

const holdOf = ({ accountId }: Key, id: string) => ({ id, accountId })

/** A hold of ten cents: 1,000 tokens at 100,000,000 pico-USD. */
const holdTenCents = (actor: Key, id = newId()) =>
  placeHold(runtime(), { id, actor, modelId, pricePico: pico(100_000_000n), maxTokens: 1_000 })

const newKey = (balancePico: bigint, options: Parameters<typeof insertPayer>[0] = {}): Promise<Key> =>
  insertPayer({ balancePico, ...options })

describe("limits hold under concurrency", () => {
  const RUNS = testScale > 1 ? 20 : 2
  const runs = Array.from({ length: RUNS }, (_, i) => i + 1)
  const outcomesOfThousand = async (key: Key) => {
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => holdTenCents(key)))
    return ["held", "key_limit", "insufficient"].map((kind) => answers.filter(({ outcome }) => outcome === kind).length)
  }

  it.each(runs)("exactly 50 of 1,000 simultaneous ten-cent holds fit a balance of 5 USD (run %i)", async () => {
    const key = await newKey(50n * TEN_CENTS)
    expect(await outcomesOfThousand(key)).toEqual([50, 0, 950])
    expect(await moneyOf(key.accountId)).toMatchObject({ balance: 50n * TEN_CENTS, held: 50n * TEN_CENTS })
  })

  it.each(runs)("exactly 50 of 1,000 simultaneous ten-cent holds fit a limit of 5 USD (run %i)", async () => {
    const key = await newKey(1_000n * TEN_CENTS, { limitPico: 50n * TEN_CENTS, period: "daily" })
    expect(await outcomesOfThousand(key)).toEqual([50, 950, 0])
    expect((await moneyOf(key.accountId)).held).toBe(50n * TEN_CENTS)
  })
})

describe("a hold", () => {
  it("is refused with the required and the available amount, and may exceed the balance by one cent", async () => {
    const short = await newKey(TEN_CENTS - 10_000_000_001n)
    expect(await holdTenCents(short)).toEqual({
      outcome: "insufficient",
      requiredPico: TEN_CENTS,
      availablePico: TEN_CENTS - 10_000_000_001n,
    })
    expect(await holdTenCents(await newKey(TEN_CENTS - 10_000_000_000n))).toEqual({ outcome: "held" })
    expect(
      await placeHold(runtime(), { id: newId(), actor: await newKey(0n), modelId, pricePico: pico(0n), maxTokens: 5 }),
    ).toMatchObject({
      outcome: "insufficient",
    })
  })

  it("may not exceed a key's limit, not even by the cent that a balance allows", async () => {
    const key = await newKey(100n * TEN_CENTS, { limitPico: TEN_CENTS - 1n })
    expect(await holdTenCents(key)).toEqual({ outcome: "key_limit", limitPico: TEN_CENTS - 1n, resetsAt: null })
  })

  it("is refused for a revoked, an expired and a foreign key", async () => {
    const revoked = await newKey(TEN_CENTS)
    await runtime().pool.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [revoked.keyId])
    expect(await holdTenCents(revoked)).toEqual({ outcome: "revoked" })
    expect(await holdTenCents(await newKey(TEN_CENTS, { expiresAt: new Date(Date.now() - 1) }))).toEqual({
      outcome: "expired_key",
    })
    const { accountId } = await newKey(TEN_CENTS)
    expect(await holdTenCents({ accountId, keyId: revoked.keyId })).toEqual({ outcome: "revoked" })
  })

  it("placed again with the same id reserves nothing more", async () => {
    const key = await newKey(10n * TEN_CENTS)
    const id = newId()
    expect(await holdTenCents(key, id)).toEqual({ outcome: "held" })
    expect(await holdTenCents(key, id)).toEqual({ outcome: "held" })
    expect((await moneyOf(key.accountId)).held).toBe(TEN_CENTS)
  })
})

describe("a capture", () => {
  it("charges tokens times price once, however often it is called", async () => {
    const key = await newKey(10n * TEN_CENTS)
    const id = newId()
    await holdTenCents(key, id)
    const states = await Promise.all(
      Array.from({ length: 5 }, () => capture(runtime(), holdOf(key, id), { ...FACTS, tokens: 7 })),
    )
    expect(new Set(states)).toEqual(new Set(["captured"]))
    expect(await moneyOf(key.accountId)).toMatchObject({ balance: 10n * TEN_CENTS - 700_000_000n, held: 0n })
    const { rows } = await runtime().pool.query("SELECT amount_pico, tokens FROM ledger_entry WHERE hold_id = $1", [id])
    expect(rows).toEqual([{ amount_pico: "-700000000", tokens: "7" }])
  })

  it("never charges more than was reserved", async () => {
    const key = await newKey(10n * TEN_CENTS)
    const id = newId()
    await holdTenCents(key, id)
    expect(await capture(runtime(), holdOf(key, id), { ...FACTS, tokens: 1_001 })).toBe("exceeds")
    expect(await moneyOf(key.accountId)).toMatchObject({ balance: 10n * TEN_CENTS, held: TEN_CENTS })
  })

  it("of a released or unknown hold charges nothing", async () => {
    const key = await newKey(10n * TEN_CENTS)
    const id = newId()
    await holdTenCents(key, id)
    expect(await release(runtime(), holdOf(key, id))).toBe("voided")
    expect(await capture(runtime(), holdOf(key, id), { ...FACTS, tokens: 1 })).toBe("voided")
    expect(await capture(runtime(), holdOf(key, newId()), { ...FACTS, tokens: 1 })).toBe("unknown")
    expect(await moneyOf(key.accountId)).toMatchObject({ balance: 10n * TEN_CENTS, held: 0n })
  })
})

describe("an entry", () => {
  it("is posted once per source, and a different one under that source is refused", async () => {
    const { accountId } = await newKey(0n)
    const entry = { accountId, kind: "credit" as const, amountPico: pico(5n), source: `s:${accountId}` }
    expect(await postEntry(runtime().pool, entry)).toBe(true)
    expect(await postEntry(runtime().pool, entry)).toBe(false)
    await expect(postEntry(runtime().pool, { ...entry, amountPico: pico(6n) })).rejects.toThrow(
      "was posted differently",
    )
    expect((await moneyOf(accountId)).balance).toBe(5n)
  })

  it("is never changed or removed", async () => {
    const { pool } = runtime()
    await expect(pool.query("UPDATE ledger_entry SET note = 'x'")).rejects.toThrow("append-only")
    await expect(pool.query("DELETE FROM ledger_entry")).rejects.toThrow("append-only")
    await expect(pool.query("TRUNCATE ledger_entry")).rejects.toThrow("append-only")
  })
})

describe("days", () => {
  it("reset a daily limit at midnight UTC, with holds open across it", async () => {
    const key = await newKey(100n * TEN_CENTS, { limitPico: 2n * TEN_CENTS, period: "daily" })
    await setLedgerClock("timestamptz '2026-11-20 23:59:59Z'")
    const [spent, open] = [newId(), newId()]
    await holdTenCents(key, spent)
    await capture(runtime(), holdOf(key, spent), { ...FACTS, tokens: 1_000 })
    await holdTenCents(key, open)
    expect(await holdTenCents(key)).toEqual({
      outcome: "key_limit",
      limitPico: 2n * TEN_CENTS,
      resetsAt: new Date("2026-11-21T00:00:00Z"),
    })
    await setLedgerClock("timestamptz '2026-11-21 00:00:00Z'")
    expect(await holdTenCents(key)).toEqual({ outcome: "held" })
    expect((await holdTenCents(key)).outcome).toBe("key_limit")
    expect(await capture(runtime(), holdOf(key, open), { ...FACTS, tokens: 1_000 })).toBe("captured")
    const { rows } = await runtime().pool.query("SELECT spent_pico, held_pico FROM api_key WHERE id = $1", [key.keyId])
    expect(rows).toEqual([{ spent_pico: "100000000000", held_pico: "100000000000" }])
    await setLedgerClock()
  })

  it("date a charge in the period that it counts in, even if the clock is set back over midnight", async () => {
    const key = await newKey(100n * TEN_CENTS, { limitPico: 2n * TEN_CENTS, period: "daily" })
    await setLedgerClock("timestamptz '2026-11-21 00:00:00Z'")
    const id = newId()
    await holdTenCents(key, id)
    await setLedgerClock("timestamptz '2026-11-20 23:59:59Z'")
    expect(await capture(runtime(), holdOf(key, id), { ...FACTS, tokens: 1_000 })).toBe("captured")
    const { rows } = await runtime().pool.query("SELECT created_at FROM ledger_entry WHERE hold_id = $1", [id])
    expect(rows).toEqual([{ created_at: new Date("2026-11-21T00:00:00Z") }])
    await setLedgerClock()
  })
})

describe("the sweeper", () => {
  it("releases any number of expired holds in one round", async () => {
    await sweepHolds(runtime())
    const key = await newKey(100n * TEN_CENTS)
    await setLedgerClock("clock_timestamp() - interval '151 s'")
    const free = () => placeHold(runtime(), { id: newId(), actor: key, modelId, pricePico: pico(0n), maxTokens: 1 })
    await Promise.all(Array.from({ length: 501 }, free))
    await setLedgerClock()
    expect(await sweepHolds(runtime())).toBe(501)
  })

  it("releases the holds that a crash left open after their expiry, and no others", async () => {
    const key = await newKey(10n * TEN_CENTS)
    const [old, young] = [newId(), newId()]
    await setLedgerClock("clock_timestamp() - interval '151 s'")
    await holdTenCents(key, old)
    await setLedgerClock()
    await holdTenCents(key, young)
    expect(await release(runtime(), holdOf(key, young), "expired")).toBe("held")
    await sweepHolds(runtime())
    expect((await moneyOf(key.accountId)).held).toBe(TEN_CENTS)
    expect(await capture(runtime(), holdOf(key, old), { ...FACTS, tokens: 1 })).toBe("expired")
  })
})

it("every invariant holds after the tests above", async () => {
  expect((await verifyLedger(runtime())).checks.filter((check) => !check.ok)).toEqual([])
})
