import { expect, test } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { rollUpUsage } from "@/lib/server/usage/roll-up-usage"
import { pico } from "@/lib/shared/money"
import { HOUR_MS } from "@/lib/shared/time"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { capture, placeHold } from "./hold"
import { FIND_RECENT } from "./recent-checks"
import { checkLedger } from "./verify-ledger"

await testRuntime()
const modelId = await insertModel()
const payer = await insertPayer({ limitPico: 1_000n, period: "daily" })

async function hold(): Promise<string> {
  const id = newId()
  await placeHold(runtime(), { id, actor: payer, modelId, pricePico: pico(1n), maxTokens: 10, tags: ["team=search"] })
  return id
}

/** Reserved 10 and charged 3. */
const charged = await hold()
await capture(runtime(), { id: charged, accountId: payer.accountId }, { tokens: 3, latencyMs: 1, questionCounts: {} })
const open = await hold()
await rollUpUsage(runtime())
await runtime().pool.query("SELECT set_budget($1, $2, NULL, 'monthly', 1000)", [newId(), payer.accountId])

const ofAccount = `WHERE id = '${payer.accountId}'`
const ofKey = `WHERE id = '${payer.keyId}'`
const ofPayer = `WHERE account_id = '${payer.accountId}'`
const ofCharge = `WHERE hold_id = '${charged}'`
const chargeTokens = (tokens: number) =>
  `UPDATE ledger_entry SET tokens = ${tokens}, amount_pico = -${tokens} ${ofCharge}`

/** For each check of everything, a change that it finds. No trigger or foreign key sees the change, as after a bad restore. */
const CHANGES: Record<string, string> = {
  "balance is the sum of the account's ledger": `UPDATE account SET balance_pico = balance_pico + 1 ${ofAccount}`,
  "each entry continues the balance of the entry before": `UPDATE ledger_entry SET balance_after_pico = balance_after_pico + 1 ${ofCharge}`,
  "an account's reserved amount is the sum of its open holds": `UPDATE account SET held_pico = held_pico + 1 ${ofAccount}`,
  "a key's reserved amount is the sum of its open holds": `UPDATE api_key SET held_pico = held_pico + 1 ${ofKey}`,
  "a captured hold has exactly one charge of tokens times price": chargeTokens(4),
  "each source has exactly one entry": `DELETE FROM ledger_source WHERE account_id = '${payer.accountId}'`,
  "holds and entries refer to existing rows": `DELETE FROM model WHERE id = '${modelId}'`,
  "no charge is above what was reserved": chargeTokens(11),
  "no charge was reserved over 2 s after its key or account ended": `UPDATE api_key SET revoked_at = now() - interval '1 hour' ${ofKey}`,
  "a key's spend is the sum of its charges in its period": `UPDATE api_key SET spent_pico = spent_pico + 1 ${ofKey}`,
  "no key exceeds its spend limit": `ALTER TABLE api_key DROP CONSTRAINT api_key_check3; UPDATE api_key SET limit_pico = 12 ${ofKey}`,
  "a budget's reserved amount is the sum of its open holds": `UPDATE budget SET held_pico = held_pico + 1 ${ofPayer}`,
  "a budget's spend is the sum of its charges in its period": `UPDATE budget SET spent_pico = spent_pico + 1 ${ofPayer}`,
  "usage sums equal the charges": "UPDATE usage_sum SET cost_pico = cost_pico + 1 WHERE unit = 'day'",
  "sums by tag equal the charges with the tag": "UPDATE tag_sum SET cost_pico = cost_pico + 1",
  "usage sums by hour equal those by day": "UPDATE usage_sum SET cost_pico = cost_pico + 1 WHERE unit = 'hour'",
  "a grant is a hold of its account and key": `
    INSERT INTO credit_grant (hold_id, account_id, key_id, unused_pico) VALUES ('${newId()}', '${payer.accountId}', '${payer.keyId}', 0)`,
  "no hold is open after its expiry": `UPDATE hold SET expires_at = ledger_now() - interval '61 s' WHERE id = '${open}'`,
}

/** What finds a change that is undone afterwards: checks of everything by name, and the check of what came after a checkpoint. */
async function foundAfter(change: string): Promise<{ checks: string[]; isFoundRecently: boolean }> {
  const client = await runtime().pool.connect()
  await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${change}`)
  const checks = await checkLedger(client)
  const { rows } = await client.query(FIND_RECENT, [new Date(Date.now() - HOUR_MS)])
  await client.query("ROLLBACK")
  client.release()
  return { checks: checks.flatMap(({ name, ok }) => (ok ? [] : [name])), isFoundRecently: rows[0].found }
}

test("every check has a change that it finds", async () => {
  expect((await checkLedger(runtime().pool)).map(({ name }) => name)).toEqual(Object.keys(CHANGES))
})

test.each(Object.entries(CHANGES))("a change is found, also after a checkpoint: %s", async (name, change) => {
  expect(await foundAfter(change)).toEqual({ checks: expect.arrayContaining([name]), isFoundRecently: true })
})

test("nothing is found without a change", async () => {
  expect(await foundAfter("SELECT 1")).toEqual({ checks: [], isFoundRecently: false })
})

test("a charge of all that was reserved is not above it, and a hold may be open for a minute after its expiry", async () => {
  const { checks } = await foundAfter(
    `${chargeTokens(10)}; UPDATE hold SET expires_at = ledger_now() - interval '59 s' WHERE id = '${open}'`,
  )
  expect(checks).not.toContain("no charge is above what was reserved")
  expect(checks).not.toContain("no hold is open after its expiry")
})
