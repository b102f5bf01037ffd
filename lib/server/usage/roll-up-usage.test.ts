import { expect, test } from "vitest"
import { createRequestEvents } from "@/lib/server/api/request-events"
import { checkLedger } from "@/lib/server/ledger/verify-ledger"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { chargeTenant, createTenant, refuseTenant, setClock, type Tenant } from "@/test/tenant"
import { listDailySpend } from "./list-daily-spend"
import { rollUpUsage } from "./roll-up-usage"

const sql = async (text: string, values: unknown[] = []) => (await runtime().pool.query(text, values)).rows

const sumsOf = ({ actor, keys }: Tenant) =>
  sql(
    `SELECT unit, to_char(start AT TIME ZONE 'UTC', 'DD HH24') AS start, decisions::int, tokens::int, cost_pico::int, question_counts,
      latency_counts FROM usage_sum WHERE account_id = $1 AND key_id = $2 AND model_id = 'usage-test-1' ORDER BY 1 DESC, 2`,
    [actor.accountId, keys[0]],
  )

await testRuntime()

test("the sums are those of the charges, by hour and day, and rolling up again adds nothing", async () => {
  const one = await createTenant(["Production"])
  await setClock("2026-11-18T23:59:59.999999Z")
  await chargeTenant(one, one.keys[0], { tokens: 100, latencyMs: 7, counts: { noul: 1, choice: 2, score: 3 } })
  await chargeTenant(one, one.keys[0], { tokens: 1, latencyMs: 8 })
  await setClock("2026-11-19T00:00:00Z")
  await chargeTenant(one, one.keys[0], { tokens: 3, latencyMs: 7 })
  await setClock(null)
  // Four entries: the credit and three charges.
  expect([await rollUpUsage(runtime()), await rollUpUsage(runtime())]).toEqual([4, 0])
  const late = { decisions: 2, tokens: 101, cost_pico: 2_020_000, question_counts: { noul: 2, choice: 2, score: 3 } }
  const early = { decisions: 1, tokens: 3, cost_pico: 60_000, question_counts: { noul: 1 } }
  // 7 ms fall into bucket 23 and 8 ms into bucket 25.
  const upTo22 = Array(23).fill("0")
  const two = { latency_counts: [...upTo22, "1", "0", "1"] }
  const single = { latency_counts: [...upTo22, "1"] }
  expect(await sumsOf(one)).toEqual([
    { unit: "hour", start: "18 23", ...late, ...two },
    { unit: "hour", start: "19 00", ...early, ...single },
    { unit: "day", start: "18 00", ...late, ...two },
    { unit: "day", start: "19 00", ...early, ...single },
  ])
})

test("questions of a type without a column are counted, and only charges with such questions store JSON", async () => {
  const one = await createTenant(["Production"])
  await setClock("2026-11-18T12:00:00Z")
  const all: Record<string, number>[] = [{ noul: 1, rank: 2 }, { choice: 4 }, { rank: 3, order: 1 }]
  for (const counts of all) await chargeTenant(one, one.keys[0], { tokens: 1, counts })
  const ids = [newId(), newId()]
  const place = "SELECT * FROM place_holds($1, $2, $3, $4, '{1,1}', '{1,1}')"
  await sql(place, [ids, ids.map(() => one.actor.accountId), ids.map(() => one.keys[0]), ids.map(() => "usage-test-1")])
  const batch = [{ rank: 10 }, { score: 7 }].map((counts) => JSON.stringify(counts))
  await sql("SELECT * FROM charge_holds($1, '{1,1}', '{7,7}', $2)", [ids, batch])
  await setClock(null)
  const entries = await sql(
    "SELECT question_counts, question_counts_of(e) AS of FROM ledger_entry e WHERE account_id = $1 AND kind = 'charge' ORDER BY id",
    [one.actor.accountId],
  )
  expect(entries).toEqual([
    { question_counts: all[0], of: all[0] },
    { question_counts: null, of: { choice: 4 } },
    { question_counts: all[2], of: all[2] },
    { question_counts: { rank: 10 }, of: { rank: 10 } },
    { question_counts: null, of: { score: 7 } },
  ])
  await rollUpUsage(runtime())
  const question_counts = { noul: 1, choice: 4, score: 7, rank: 15, order: 1 }
  expect(await sumsOf(one)).toMatchObject([
    { unit: "hour", question_counts },
    { unit: "day", question_counts },
  ])
})

test("a charge dated into a day that was summed up already is added to that day", async () => {
  const one = await createTenant(["Production"])
  const days = async () =>
    (await listDailySpend(runtime(), one.actor, { days: 7 })).rows.map(({ day, tokens }) => [day, tokens])
  await setClock("2026-11-18T12:00:00Z")
  await chargeTenant(one, one.keys[0], { tokens: 5 })
  await rollUpUsage(runtime())
  await setClock("2026-11-18T12:30:00Z")
  await chargeTenant(one, one.keys[0], { tokens: 30 })
  await setClock("2026-11-19T12:00:00Z")
  await chargeTenant(one, one.keys[0], { tokens: 1 })
  await setClock("2026-11-20T12:00:00Z")
  const expected = [
    ["2026-11-19", 1],
    ["2026-11-18", 35],
  ]
  expect(await days()).toEqual(expected)
  await rollUpUsage(runtime())
  expect(await days()).toEqual(expected)
  await setClock(null)
})

test("every charge is counted once when several instances roll up concurrently with new charges", async () => {
  const tenants = await Promise.all([createTenant(["A"]), createTenant(["B"])])
  const expected = [0, 0]
  const spend = async (tenant: Tenant, index: number) => {
    for (let tokens = 1; tokens <= 40; tokens++) {
      await chargeTenant(tenant, tenant.keys[0], { tokens, latencyMs: tokens })
      expected[index] = (expected[index] ?? 0) + tokens
    }
  }
  let busy = true
  const totals: boolean[] = []
  const roll = async () => {
    while (busy) await rollUpUsage(runtime())
  }
  const watch = async ({ actor }: Tenant) => {
    for (let before = 0; busy; ) {
      const { tokens } = (await listDailySpend(runtime(), actor, { days: 1 })).total
      totals.push(tokens >= before)
      before = tokens
    }
  }
  const others = [roll(), roll(), roll(), ...tenants.map(watch)]
  await Promise.all(tenants.map(spend))
  busy = false
  await Promise.all(others)
  await rollUpUsage(runtime())
  for (const [index, tenant] of tenants.entries()) {
    const [day] = (await sumsOf(tenant)).slice(-1)
    expect(day).toMatchObject({ unit: "day", decisions: 40, tokens: expected[index] })
    expect(day?.latency_counts.map(Number).reduce((sum: number, n: number) => sum + n, 0)).toBe(40)
  }
  expect(totals.every(Boolean)).toBe(true)
  expect((await checkLedger(runtime().pool)).filter(({ ok }) => !ok)).toEqual([])
})

test("refused requests are summed up in the statement that writes them, and a batch sent twice counts once", async () => {
  const one = await createTenant(["Production"])
  await refuseTenant(one, one.keys[0], { at: "2026-11-18T23:59:59.999Z" })
  const events = createRequestEvents(runtime().pool, runtime().log, runtime().metrics)
  const refused = {
    requestId: newId(),
    actor: { accountId: one.actor.accountId, keyId: one.keys[0] ?? "" },
    model: "usage-test-1",
    status: 402,
    code: "insufficient_balance",
    latencyMs: 2,
    at: new Date("2026-11-18T10:00:00Z"),
  }
  for (const round of [1, 2, 3]) {
    events.add(refused)
    if (round === 2) events.add({ ...refused, requestId: newId() })
    await events.flush()
  }
  expect(
    await sql(
      `SELECT unit, to_char(start AT TIME ZONE 'UTC', 'DD HH24') AS start, model_id, status, code, requests::int
       FROM usage_error WHERE account_id = $1 AND key_id = $2 AND model_id <> '*' ORDER BY 1, 2, 3`,
      [one.actor.accountId, one.keys[0]],
    ),
  ).toEqual([
    { unit: "day", start: "18 00", model_id: "", status: 429, code: "rate_limited", requests: 1 },
    { unit: "day", start: "18 00", model_id: "usage-test-1", status: 402, code: "insufficient_balance", requests: 2 },
    { unit: "hour", start: "18 10", model_id: "usage-test-1", status: 402, code: "insufficient_balance", requests: 2 },
    { unit: "hour", start: "18 23", model_id: "", status: 429, code: "rate_limited", requests: 1 },
  ])
})
