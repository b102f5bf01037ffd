import { expect, test } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { chargeTenant, createTenant, refuseTenant, setClock, type Tenant } from "@/test/tenant"
import { getUsage } from "./get-usage"
import { rollUpUsage } from "./roll-up-usage"

const NO_SUMS = { decisions: 0, refused: 0, tokens: 0, costUsd: "0.000000000000", p50Ms: null, p95Ms: null }
const AT_7_MS = { p50Ms: 7, p95Ms: 7 }
const range = { from: "2026-11-18", to: "2026-11-20" }
const key = (id: string | undefined) => publicId("key", id ?? "")

/** Creates two days of requests by two keys and two models. `summedUp` is the part that is rolled up. */
async function history(summedUp: "all" | "half" | "nothing"): Promise<Tenant> {
  const one = await createTenant(["A", "B"])
  const [a, b] = one.keys
  await setClock("2026-11-18T23:59:59.999999Z")
  await chargeTenant(one, a, { tokens: 100, latencyMs: 7 })
  await chargeTenant(one, a, { tokens: 10, latencyMs: 1_000 })
  if (summedUp === "half") await rollUpUsage(runtime())
  await setClock("2026-11-20T00:00:00Z")
  await chargeTenant(one, b, { tokens: 3, model: "other-model-1" })
  await setClock("2026-11-20T12:00:00Z")
  if (summedUp === "all") await rollUpUsage(runtime())
  await refuseTenant(one, b, { at: "2026-11-20T01:00:00Z" })
  await refuseTenant(one, b, { at: "2026-11-20T02:00:00Z", model: "other-model-1" })
  const poor = { status: 402, code: "insufficient_balance", model: "usage-test-1" }
  await refuseTenant(one, a, { at: "2026-11-18T03:00:00Z", ...poor })
  return one
}

await testRuntime()
await insertModel("other-model-1")

test.each(["nothing", "half", "all"] as const)("every figure is the same with %s summed up", async (summedUp) => {
  const one = await history(summedUp)
  const usage = await getUsage(runtime(), one.actor, { range })
  const ofA = { decisions: 2, refused: 1, tokens: 110, costUsd: "0.000002200000", p50Ms: 7, p95Ms: 982 }
  const third = { decisions: 1, refused: 2, tokens: 3, costUsd: "0.000000060000", ...AT_7_MS }
  expect(usage).toEqual({
    asOf: "2026-11-20T12:00:00.000Z",
    unit: "day",
    firstDay: "2026-11-18",
    lastDay: "2026-11-20",
    total: { decisions: 3, refused: 3, tokens: 113, costUsd: "0.000002260000", p50Ms: 7, p95Ms: 982 },
    points: [
      { at: "2026-11-18T00:00:00.000Z", ...ofA, errors: { insufficient_balance: 1 } },
      { at: "2026-11-19T00:00:00.000Z", ...NO_SUMS, errors: {} },
      { at: "2026-11-20T00:00:00.000Z", ...third, errors: { rate_limited: 2 } },
    ],
    keys: [
      { id: key(one.keys[0]), name: "A", ...ofA },
      { id: key(one.keys[1]), name: "B", ...third },
    ],
    models: [
      { id: "usage-test-1", name: "usage-test-1", ...ofA },
      { id: "other-model-1", name: "other-model-1", ...third, refused: 1 },
      { id: null, name: "No known model", ...NO_SUMS, refused: 1 },
    ],
    errors: [
      { code: "rate_limited", status: 429, requests: 2 },
      { code: "insufficient_balance", status: 402, requests: 1 },
    ],
    tags: [],
    layers: [],
  })
})

test.each(["nothing", "all"] as const)(
  "filters by key and model keep only the matching figures, with %s summed up",
  async (summedUp) => {
    const [other, one] = [await history("all"), await history(summedUp)]
    const totals = async (filter: object) => (await getUsage(runtime(), one.actor, { range, ...filter })).total
    const ofB = { decisions: 1, tokens: 3, costUsd: "0.000000060000", ...AT_7_MS }
    expect(await totals({ keyId: key(one.keys[1]) })).toEqual({ ...ofB, refused: 2 })
    expect(await totals({ model: "other-model-1" })).toEqual({ ...ofB, refused: 1 })
    expect(await totals({ keyId: key(one.keys[0]), model: "other-model-1" })).toEqual(NO_SUMS)
    expect(await totals({ keyId: key(other.keys[1]) })).toEqual(NO_SUMS)
    expect(await totals({ keyId: "key_nonsense" })).toEqual(NO_SUMS)
  },
)

test("one day is shown in hours", async () => {
  const one = await history("half")
  const { unit, points } = await getUsage(runtime(), one.actor, { range: { days: 1 } })
  expect([unit, points.length]).toEqual(["hour", 24])
  expect(points.slice(0, 3).map(({ at, decisions, errors }) => [at, decisions, errors])).toEqual([
    ["2026-11-20T00:00:00.000Z", 1, {}],
    ["2026-11-20T01:00:00.000Z", 0, { rate_limited: 1 }],
    ["2026-11-20T02:00:00.000Z", 0, { rate_limited: 1 }],
  ])
})

test("layers by key: the five most expensive have their own, and all layers add up to the total", async () => {
  const one = await createTenant(["A", "B", "C", "D", "E", "F", "G"])
  await setClock("2026-11-19T12:00:00Z")
  await chargeTenant(one, one.keys[6], { tokens: 2 })
  await setClock("2026-11-20T12:00:00Z")
  for (const [index, id] of one.keys.entries()) await chargeTenant(one, id, { tokens: index + 1 })
  const { layers } = await getUsage(runtime(), one.actor, { range, by: "key" })
  expect(layers.map(({ name, points }) => [name, ...points.map(({ tokens }) => tokens)])).toEqual([
    ["G", 0, 2, 7],
    ["F", 0, 0, 6],
    ["E", 0, 0, 5],
    ["D", 0, 0, 4],
    ["C", 0, 0, 3],
    ["All other keys", 0, 0, 3],
  ])
  expect(layers.at(-1)?.points.at(-1)).toEqual({ decisions: 2, tokens: 3, costUsd: "0.000000060000" })
})

test("the totals of a long history are the ledger's charges to the pico-dollar", async () => {
  const one = await createTenant(["A", "B", "C"])
  let tokens = 1
  for (let step = 0; step < 60; step++) {
    tokens = (tokens * 48_271) % 65_537
    const day = 1 + (tokens % 20)
    await setClock(`2026-11-${String(day).padStart(2, "0")}T${String(tokens % 24).padStart(2, "0")}:59:59.999999Z`)
    await chargeTenant(one, one.keys[step % 3], { tokens, latencyMs: tokens % 90_000 })
    if (tokens % 5 === 0) await rollUpUsage(runtime())
  }
  await setClock(null)
  const { rows } = await runtime().pool.query(
    "SELECT -sum(amount_pico)::bigint AS pico, sum(tokens)::int AS tokens FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
    [one.actor.accountId],
  )
  const all = await getUsage(runtime(), one.actor, { range: { from: "2026-11-01", to: "2026-11-30" }, by: "key" })
  const pico = (usd: string) => BigInt(usd.replace(".", ""))
  const sum = (parts: { costUsd: string }[]) => parts.reduce((total, { costUsd }) => total + pico(costUsd), 0n)
  expect(all.total).toMatchObject({ decisions: 60, tokens: rows[0].tokens })
  for (const parts of [[all.total], all.points, all.keys, all.models, all.layers.flatMap(({ points }) => points)])
    expect(String(sum(parts))).toBe(rows[0].pico)
})

test("the filter by result applies to every figure", async () => {
  const one = await history("half")
  const of = async (result: string) => {
    const { total, keys, errors, layers, points } = await getUsage(runtime(), one.actor, { range, result, by: "key" })
    const sum = points.reduce((all, { decisions, refused }) => all + decisions + refused, 0)
    const { decisions, refused, costUsd } = total
    return {
      decisions,
      refused,
      costUsd,
      sum,
      keys: keys.map(({ name }) => name),
      errors: errors.length,
      layers: layers.length,
    }
  }
  const [a, b] = ["A", "B"]
  const free = "0.000000000000"
  expect(await of("answered")).toEqual({
    decisions: 3,
    refused: 0,
    costUsd: "0.000002260000",
    sum: 3,
    keys: [a, b],
    errors: 0,
    layers: 2,
  })
  expect(await of("refused")).toMatchObject({ decisions: 0, refused: 3, costUsd: free, sum: 3, layers: 0 })
  expect(await of("insufficient_balance")).toEqual({
    decisions: 0,
    refused: 1,
    costUsd: free,
    sum: 1,
    keys: [a],
    errors: 1,
    layers: 0,
  })
})
