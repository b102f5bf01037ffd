import pg from "pg"
import { beforeAll, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey, insertModel } from "@/test/insert-rows"
import { capture, placeHold } from "./hold"
import { checkLedger } from "./verify-ledger"

let databaseUrl: string
let modelId: string
beforeAll(async () => {
  databaseUrl = (await testRuntime()).databaseUrl
  modelId = await insertModel()
})

/** Returns what `ledger verify` finds after a change that no trigger or constraint sees, as after a bad restore. */
async function foundAfter(change: string, values: unknown[]): Promise<string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica")
    await client.query(change, values)
    return (await checkLedger(client)).filter(({ ok }) => !ok).map(({ name }) => name)
  } finally {
    await client.query("ROLLBACK")
    await client.end()
  }
}

async function newKey(): Promise<{ accountId: string; keyId: string }> {
  const { accountId } = await insertAccount(1_000_000n)
  return { accountId, keyId: (await insertKey(accountId)).keyId }
}

it("finds holds and entries that refer to missing rows", async () => {
  const [open, charged, other] = [await newKey(), await newKey(), await newKey()]
  const [openId, chargedId] = [newId(), newId()]
  const hold = { modelId, pricePico: pico(1n), maxTokens: 10 }
  await placeHold(runtime(), { ...hold, id: openId, actor: open })
  await placeHold(runtime(), { ...hold, id: chargedId, actor: charged })
  await capture(
    runtime(),
    { id: chargedId, accountId: charged.accountId },
    { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } },
  )
  const named = "holds and entries refer to existing rows"
  const of = "a captured hold has exactly one charge of tokens times price"
  const held = "an account's reserved amount is the sum of its open holds"
  expect(await foundAfter("DELETE FROM api_key WHERE id = $1", [open.keyId])).toEqual([named])
  expect(await foundAfter("DELETE FROM api_key WHERE id = $1", [charged.keyId])).toEqual([named])
  expect(
    await foundAfter("UPDATE api_key SET account_id = $2 WHERE id = $1", [charged.keyId, other.accountId]),
  ).toEqual([named])
  expect(await foundAfter("DELETE FROM account WHERE id = $1", [charged.accountId])).toEqual([named])
  expect(await foundAfter("DELETE FROM account WHERE id = $1", [open.accountId])).toEqual([named])
  expect(await foundAfter("DELETE FROM model WHERE id = $1", [modelId])).toEqual([named])
  expect(await foundAfter("DELETE FROM hold WHERE id = $1", [chargedId])).toEqual([named])
  expect(await foundAfter("UPDATE hold SET model_id = 'gone' WHERE id = $1", [openId])).toEqual([named])
  expect(await foundAfter("UPDATE ledger_entry SET model_id = 'gone' WHERE hold_id = $1", [chargedId])).toEqual([named])
  expect(await foundAfter("DELETE FROM ledger_entry WHERE hold_id = $1", [chargedId])).toContain(of)
  expect(await foundAfter("DELETE FROM hold WHERE id = $1", [openId])).toContain(held)
  expect(await foundAfter("SELECT 1", [])).toEqual([])
})
