import { expect, test } from "vitest"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey, insertModel } from "@/test/insert-rows"
import { ownerOf } from "@/test/sign-up"
import { findKey, listKeys, listNewestKeys, sampleSpend } from "./read-keys"

const app = await testRuntime()

test("a key is found by its public id, and only by its own account", async () => {
  const [mine, theirs] = [await insertAccount(), await insertAccount()]
  const { keyId } = await insertKey(mine.accountId, { limitPico: 5n, period: "daily" })
  const id = publicId("key", keyId)
  const found = await findKey(runtime(), ownerOf(mine.accountId), id)
  expect(found).toMatchObject({ id, kind: "secret", period: "daily", limitUsd: "0.000000000005" })
  expect(found).toEqual((await listKeys(runtime(), ownerOf(mine.accountId))).find((key) => key.id === id))
  expect(await findKey(runtime(), ownerOf(theirs.accountId), id)).toBeNull()
  for (const none of ["", "key_", keyId, `key_${"0".repeat(26)}`, "%zz"])
    expect(await findKey(runtime(), ownerOf(mine.accountId), none)).toBeNull()
})

test("a name and a note that an earlier release accepted stay readable", async () => {
  const { accountId } = await insertAccount()
  const { keyId } = await insertKey(accountId)
  const [name, note] = ["a\u202Eb\u200B", "two\u2028lines"]
  await app.pool.query("UPDATE api_key SET name = $2, note = $3 WHERE id = $1", [keyId, name, note])
  expect(await findKey(runtime(), ownerOf(accountId), publicId("key", keyId))).toMatchObject({ name, note })
  expect(await listKeys(runtime(), ownerOf(accountId))).toContainEqual(expect.objectContaining({ name, note }))
})

test("the newest keys are the account's own that are not revoked, as many as asked for", async () => {
  const [{ accountId }, theirs] = [await insertAccount(), await insertAccount()]
  for (const name of ["A", "B", "C", "D"]) {
    const { keyId } = await insertKey(accountId)
    await app.pool.query("UPDATE api_key SET name = $2 WHERE id = $1", [keyId, name])
  }
  await insertKey(theirs.accountId)
  await app.pool.query("UPDATE api_key SET revoked_at = now() WHERE account_id = $1 AND name = 'C'", [accountId])
  const names = async (max: number) =>
    (await listNewestKeys(runtime(), ownerOf(accountId), max)).map(({ name }) => name)
  expect(await names(2)).toEqual(["D", "B"])
  expect(await names(200)).toEqual(["D", "B", "A", "Playground"])
})

async function charge(accountId: string, keyId: string, tokens: number): Promise<void> {
  const id = newId()
  const request = {
    id,
    actor: { accountId, keyId },
    modelId: await insertModel(),
    pricePico: pico(3),
    maxTokens: tokens,
  }
  await placeHold(runtime(), request)
  await capture(runtime(), { id, accountId }, { tokens, latencyMs: 5, questionCounts: { noul: 1 } })
}

test("the spend sample has the last ten charges of the account only", async () => {
  const [mine, theirs] = [await insertAccount(), await insertAccount()]
  const { keyId } = await insertKey(mine.accountId)
  expect(await sampleSpend(runtime(), ownerOf(mine.accountId))).toMatchObject({ count: 0, totalUsd: "0.000000000000" })
  for (const tokens of [1_000_000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await charge(mine.accountId, keyId, tokens)
  await charge(theirs.accountId, (await insertKey(theirs.accountId)).keyId, 77)
  expect(await sampleSpend(runtime(), ownerOf(mine.accountId))).toMatchObject({ count: 10, totalUsd: "0.000000000165" })
})
