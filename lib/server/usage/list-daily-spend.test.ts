import { expect, test } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { chargeTenant, createTenant, setClock } from "@/test/tenant"
import { listDailySpend } from "./list-daily-spend"
import { rollUpUsage } from "./roll-up-usage"

await testRuntime()

test("sums each key's charges by UTC day, to the pico-dollar, and its total is the ledger's", async () => {
  const one = await createTenant(["Production", "Staging"])
  const [production, staging] = one.keys
  await setClock("2026-11-18T23:59:59.999999Z")
  await chargeTenant(one, production, { tokens: 100 })
  await setClock("2026-11-19T00:00:00Z")
  await chargeTenant(one, production, { tokens: 3 })
  await chargeTenant(one, staging, { tokens: 41 })
  // The requests so far are rolled up. Those that follow are read row by row.
  await rollUpUsage(runtime())
  await chargeTenant(one, staging, { tokens: 9 })
  await setClock("2026-11-20T12:00:00Z")
  const spend = await listDailySpend(runtime(), one.actor, { days: 7 })
  const ofStaging = await listDailySpend(runtime(), one.actor, { days: 7, keyId: publicId("key", staging ?? "") })
  await setClock(null)
  const stagingDay = {
    day: "2026-11-19",
    keyId: publicId("key", staging ?? ""),
    keyName: "Staging",
    decisions: 2,
    tokens: 50,
    costUsd: "0.000001000000",
  }
  const ofProduction = { keyId: publicId("key", production ?? ""), keyName: "Production", decisions: 1 }
  expect(spend).toEqual({
    asOf: "2026-11-20T12:00:00.000Z",
    firstDay: "2026-11-14",
    rows: [
      stagingDay,
      { day: "2026-11-19", ...ofProduction, tokens: 3, costUsd: "0.000000060000" },
      { day: "2026-11-18", ...ofProduction, tokens: 100, costUsd: "0.000002000000" },
    ],
    total: { decisions: 4, tokens: 153, costUsd: "0.000003060000" },
  })
  expect(ofStaging.rows).toEqual([stagingDay])
  expect(ofStaging.total).toEqual({ decisions: 2, tokens: 50, costUsd: "0.000001000000" })
  const { rows } = await runtime().pool.query(
    "SELECT (sum(-amount_pico))::text AS pico FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
    [one.actor.accountId],
  )
  expect(rows).toEqual([{ pico: "3060000" }])
})

test("leaves out what is older than the days asked for and what another account spent", async () => {
  const [one, other] = [await createTenant(["Mine"]), await createTenant(["Theirs"])]
  await setClock("2026-11-19T23:00:00Z")
  await chargeTenant(one, one.keys[0], { tokens: 5 })
  await chargeTenant(other, other.keys[0], { tokens: 7 })
  await setClock("2026-11-20T01:00:00Z")
  for (const round of ["row by row", "summed up"]) {
    if (round === "summed up") await rollUpUsage(runtime())
    const today = await listDailySpend(runtime(), one.actor, { days: 1 })
    const both = await listDailySpend(runtime(), one.actor, { days: 2 })
    const theirs = await listDailySpend(runtime(), one.actor, { days: 2, keyId: publicId("key", other.keys[0] ?? "") })
    const nobodys = await listDailySpend(runtime(), one.actor, { days: 2, keyId: "key_nonsense" })
    expect(today.rows).toEqual([])
    expect(today.total).toEqual({ decisions: 0, tokens: 0, costUsd: "0.000000000000" })
    expect(both.rows.map((row) => [row.keyName, row.tokens])).toEqual([["Mine", 5]])
    expect([theirs.rows, nobodys.rows]).toEqual([[], []])
  }
  await setClock(null)
})
