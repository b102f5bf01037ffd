import { expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { insertAccount } from "@/test/insert-rows"
import type { Row } from "./row"

const { pool } = await testRuntime()

it("pg returns each kind of column as Row types it", async () => {
  const { accountId } = await insertAccount()
  await pool.query(
    `INSERT INTO usage_sum (account_id, unit, start, key_id, model_id, decisions, tokens, cost_pico, question_counts, latency_counts)
     VALUES ($1, 'day', '2026-12-01T00:00:00Z', $1, 'm', 9007199254740993, 1, 2, '{"noul": 3}', '{4, 5}')`,
    [accountId],
  )
  type Sum = Row<"UsageSum", "decisions" | "start" | "question_counts" | "latency_counts">
  const { rows: sums } = await pool.query<Sum>(
    "SELECT decisions, start, question_counts, latency_counts FROM usage_sum",
  )
  expect(sums).toEqual([
    {
      decisions: "9007199254740993",
      start: new Date("2026-12-01T00:00:00Z"),
      question_counts: { noul: 3 },
      latency_counts: ["4", "5"],
    },
  ] satisfies Sum[])

  await pool.query("INSERT INTO past_address (address_hmac) VALUES ($1)", [Buffer.from("hash")])
  type Address = Row<"PastAddress", "address_hmac">
  const { rows: addresses } = await pool.query<Address>("SELECT address_hmac FROM past_address")
  expect(addresses).toEqual([{ address_hmac: Buffer.from("hash") }] satisfies Address[])

  type Owned = Row<"Account", "id" | "name" | "requests_per_second">
  const { rows: accounts } = await pool.query<Owned>("SELECT id, name, requests_per_second FROM account")
  expect(accounts).toEqual([{ id: accountId, name: null, requests_per_second: 20 }] satisfies Owned[])
})
