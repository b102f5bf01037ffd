import { beforeEach, describe, expect, it } from "vitest"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { addPartitions, dropPartitions, readPartitionStates } from "./partitions"

const { pool } = await testRuntime()
const modelId = await insertModel()

const sql = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
const stateOf = async (table: string) => (await readPartitionStates(pool)).find((state) => state.table === table)
const today = async () => (await sql("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM_DD') AS day"))[0].day

async function pay(): Promise<string> {
  const actor = await insertPayer()
  const id = newId()
  await placeHold(runtime(), { id, actor, modelId, pricePico: pico(1n), maxTokens: 10 })
  return capture(
    runtime(),
    { id, accountId: actor.accountId },
    { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } },
  )
}

beforeEach(() => addPartitions(pool))

describe("partitions", () => {
  it("exist for two months and three days, and their end is known", async () => {
    expect(await addPartitions(pool)).toBe(0)
    const states = await readPartitionStates(pool)
    expect(states.map(({ table, defaultRows }) => [table, defaultRows])).toEqual(
      ["ledger_entry", "request_event", "request_detail", "audit_event", "hold", "charged_hold"].map((table) => [
        table,
        0,
      ]),
    )
    for (const { table, secondsAhead } of states)
      expect(secondsAhead).toBeGreaterThan((table.endsWith("hold") ? 3 : 50) * 86_400)
  })

  it("are created once by processes that find them missing together", async () => {
    const last = (await sql("SELECT max(name) AS name FROM partitions_of('hold', now())"))[0].name
    await sql(`DROP TABLE ${last}`)
    const added = await Promise.all([addPartitions(pool), addPartitions(pool), addPartitions(pool)])
    expect(added.reduce((sum, count) => sum + count)).toBe(1)
  })

  it("wait for no request: a lock that a transaction holds is left for the next run", async () => {
    const last = (await sql("SELECT max(name) AS name FROM partitions_of('charged_hold', now())"))[0].name
    await sql(`DROP TABLE ${last}`)
    const reader = await pool.connect()
    await reader.query("BEGIN; LOCK TABLE charged_hold IN ROW EXCLUSIVE MODE; SELECT FROM charged_hold")
    expect(await addPartitions(pool)).toBe(0)
    await reader.query("COMMIT")
    reader.release()
    expect(await addPartitions(pool)).toBe(1)
  })

  it("are dropped only when all of their rows are older, and not while a transaction reads them", async () => {
    await sql(
      "SELECT add_partition('hold', d, d + interval '1 day') FROM date_trunc('day', now() - interval '9 days', 'UTC') AS d",
    )
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    expect(await dropPartitions(pool, "hold", dayAgo(9))).toBe(0)
    expect(await dropPartitions(pool, "hold", dayAgo(8), async () => false)).toBe(0)
    const reader = await pool.connect()
    await reader.query("BEGIN; SELECT FROM hold")
    expect(await dropPartitions(pool, "hold", dayAgo(8))).toBe(0)
    await reader.query("COMMIT")
    reader.release()
    expect(await dropPartitions(pool, "hold", dayAgo(8))).toBe(1)
  })

  it("that are missing fail no request: the default partition takes the rows, and metrics show it", async () => {
    const day = await today()
    for (const table of [`hold_${day}`, `charged_hold_${day}`, `ledger_entry_${day.slice(0, 7)}`])
      await sql(`DROP TABLE ${table}`)
    expect(await pay()).toBe("captured")
    expect(await stateOf("hold")).toEqual({ table: "hold", secondsAhead: expect.any(Number), defaultRows: 1 })
    expect((await stateOf("hold"))?.secondsAhead).toBeLessThanOrEqual(0)
    expect((await stateOf("ledger_entry"))?.defaultRows).toBe(2)
    await addPartitions(pool)
    expect(await pay()).toBe("captured")
    expect((await stateOf("hold"))?.defaultRows).toBe(2)
    expect((await verifyLedger(runtime(), { all: true })).ok).toBe(true)
  })
})
