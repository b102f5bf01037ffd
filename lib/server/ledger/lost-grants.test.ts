import { describe, expect, it, vi } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { interceptPool } from "@/test/decide-directly"
import { charge, extend, grantTests, MODEL_ID, newPayer, place, stateOf, warmUp } from "@/test/grants"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { gate } from "@/test/scripted-engine"
import { charge as chargeUntil } from "./charge"
import { release } from "./hold"

grantTests()

describe("a reply that is lost", () => {
  it("never charges a request that was given up, though its charge arrives later", async () => {
    const payer = await newPayer()
    await warmUp(payer)
    const id = newId()
    await place(payer, id)
    const { balance, held } = await moneyOf(payer.accountId)
    const draw = runtime().grants.drawOf(id)
    if (!draw) throw new Error("the request drew from no grant")
    draw.isCharging = true
    expect(await release(runtime(), { id, accountId: payer.accountId })).toBe("voided")
    const { rows } = await runtime().pool.query(
      "SELECT state FROM charge_drawn($1, $2, $3, '{1000000}', '{1000}', '{400}', '{1}', ARRAY['{}']::jsonb[])",
      [[draw.grant.id], [id], [MODEL_ID]],
    )
    expect(rows).toEqual([{ state: "voided" }])
    expect((await moneyOf(payer.accountId)).balance).toBe(balance)
    expect(held).toBeGreaterThan(0n)
  })

  it("charges a request once, however often its charge is repeated", async () => {
    const payer = await newPayer()
    const grant = await warmUp(payer)
    const id = newId()
    await place(payer, id)
    const { balance } = await moneyOf(payer.accountId)
    const again = () =>
      runtime().pool.query(
        "SELECT state FROM charge_drawn($1, $2, $3, '{1000000,1000000}', '{1000,1000}', '{400,400}', '{1,1}', ARRAY['{}','{}']::jsonb[])",
        [
          [grant, grant],
          [id, id],
          [MODEL_ID, MODEL_ID],
        ],
      )
    for (const { rows } of [await again(), await again()])
      expect(rows.map(({ state }) => state)).toEqual(["captured", "captured"])
    expect(await charge(payer, id)).toBe("captured")
    expect((await moneyOf(payer.accountId)).balance).toBe(balance - 400_000_000n)
  })
})

describe("a request that fails while it changes to the exact path", () => {
  it("is not charged, and leaves nothing held", async () => {
    const payer = await newPayer()
    const grant = await warmUp(payer)
    const id = newId()
    await place(payer, id)
    // In one transaction, because this process may renew the grant's lease between the two.
    await setLedgerClock("clock_timestamp() + interval '7 s'", `SELECT release('${grant}', 'expired')`)
    const { balance } = await moneyOf(payer.accountId)
    const { wait, open } = gate()
    const asked = gate()
    interceptPool(async (name, run) => {
      if (name !== "place-holds") return run()
      asked.open()
      await wait()
      return run()
    })
    const deadline = new AbortController()
    const late = asked.wait().then(() => deadline.abort(new Error("too late")))
    const facts = { tokens: 400, latencyMs: 1, questionCounts: { noul: 1 } }
    const hold = { id, accountId: payer.accountId }
    await expect(chargeUntil(runtime(), hold, facts, deadline.signal)).rejects.toThrow("too late")
    open()
    await late
    await vi.waitFor(async () => expect(await stateOf(id)).toBe("voided"), { timeout: 10_000 })
    vi.restoreAllMocks()
    expect(await moneyOf(payer.accountId)).toMatchObject({ balance, held: 0n })
  })
})

describe("a revoked key", () => {
  it("gets no more credit", async () => {
    const payer = await newPayer()
    const grant = await warmUp(payer)
    await runtime().pool.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [payer.keyId])
    expect(await extend(payer, grant, 10n ** 12n, false)).toBeNull()
  })
})

it("a charge alone writes the same rows as charges of a batch", async () => {
  const payer = await newPayer()
  const grant = await warmUp(payer)
  const chargeAll = async (counts: string[]) => {
    const ids = counts.map(newId)
    const before = await moneyOf(payer.accountId)
    const { rows } = await runtime().pool.query("SELECT state FROM charge_drawn($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
      ids.map(() => grant),
      ids,
      ids.map(() => MODEL_ID),
      ids.map(() => 1_000_000),
      ids.map(() => 1_000),
      ids.map(() => 400),
      ids.map(() => 7),
      counts,
      ids.map(() => 1_500),
    ])
    expect(rows).toEqual(ids.map(() => ({ state: "captured" })))
    const after = await moneyOf(payer.accountId)
    expect(before.balance - after.balance).toBe(400_000_000n * BigInt(ids.length))
    expect(before.held - after.held).toBe(400_000_000n * BigInt(ids.length))
    const { rows: written } = await runtime().pool.query(
      `SELECT h.state, h.tokens, h.max_tokens, h.price_pico, (h.resolved_at - h.created_at)::text AS age, h.expires_at - h.created_at AS life,
         e.amount_pico, e.balance_after_pico, e.tokens AS charged, e.latency_ms, e.noul_count, e.choice_count, e.score_count,
         e.question_counts, e.created_at = h.resolved_at AS together, c.hold_id IS NOT NULL AS noted
       FROM unnest($1::uuid[]) WITH ORDINALITY AS u(id, n) JOIN hold h ON h.id = u.id JOIN ledger_entry e ON e.hold_id = u.id
         LEFT JOIN charged_hold c ON c.hold_id = u.id ORDER BY u.n`,
      [ids],
    )
    return written.map(({ balance_after_pico: balance, ...row }) => ({
      ...row,
      cost: before.balance - BigInt(balance),
    }))
  }
  const counts = ['{"noul":2,"score":1}', '{"noul":1,"other":3}']
  const [first, second] = await chargeAll(counts)
  expect(first).toMatchObject({
    noul_count: 2,
    question_counts: null,
    tokens: "400",
    noted: true,
    together: true,
    age: "00:00:01.5",
  })
  expect(second).toMatchObject({ noul_count: 1, question_counts: { noul: 1, other: 3 }, cost: 800_000_000n })
  expect(await chargeAll(counts.slice(0, 1))).toEqual([first])
  expect(await chargeAll(counts.slice(1))).toEqual([{ ...second, cost: 400_000_000n }])
})

it("calls of an older process, which name no ages, charge and end a grant as before", async () => {
  const payer = await newPayer()
  const grant = await warmUp(payer)
  const { pool } = runtime()
  const [charged, kept] = [newId(), newId()]
  const { rows } = await pool.query("SELECT state FROM charge_drawn($1, $2, $3, $4, $5, $6, $7, $8)", [
    [grant],
    [charged],
    [MODEL_ID],
    [1],
    [10],
    [4],
    [7],
    ['{"noul":1}'],
  ])
  expect(rows).toEqual([{ state: "captured" }])
  const ended = await pool.query("SELECT end_grant($1, $2, $3, $4, $5) AS state", [
    grant,
    [kept],
    [MODEL_ID],
    [1],
    [10],
  ])
  expect(ended.rows).toEqual([{ state: "voided" }])
  expect([await stateOf(charged), await stateOf(kept)]).toEqual(["captured", "held"])
  await release(runtime(), { id: kept, accountId: payer.accountId })
})
