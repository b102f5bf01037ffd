import { beforeAll, expect, test } from "vitest"
import { openPool } from "@/lib/server/platform/db/connect"
import { newId } from "@/lib/server/platform/ids"
import { installRuntime, type Runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey, insertModel } from "@/test/insert-rows"
import { waitsForLock } from "@/test/waits-for-lock"
import { createHoldCalls, placeHold } from "./hold"

let here: Runtime & { databaseUrl: string }
let modelId: string
beforeAll(async () => {
  here = await testRuntime()
  modelId = await insertModel()
})

async function newSpender() {
  const { accountId } = await insertAccount()
  return { accountId, ...(await insertKey(accountId)) }
}

const hold = (actor: { accountId: string; keyId: string }, id = newId()) =>
  placeHold({ id, actor, modelId, pricePico: pico(1), maxTokens: 10 })

/** Locks an account's row until the returned function is called. */
async function lockRow(accountId: string): Promise<() => Promise<void>> {
  const client = await here.pool.connect()
  await client.query("BEGIN")
  await client.query("SELECT 1 FROM account WHERE id = $1 FOR UPDATE", [accountId])
  return async () => {
    await client.query("COMMIT")
    client.release()
  }
}

test("an account whose row is locked for long does not stop the holds of others", async () => {
  const [locked, other] = [await newSpender(), await newSpender()]
  const unlock = await lockRow(locked.accountId)
  const waiting: Promise<unknown>[] = []
  // Each comes after the one before counts as slow, so that it may start a statement of its own.
  for (let i = 0; i < 6; i++) {
    waiting.push(hold(locked))
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  await waitsForLock()
  expect(await hold(other)).toEqual({ outcome: "held" })
  await unlock()
  for (const outcome of await Promise.all(waiting)) expect(outcome).toEqual({ outcome: "held" })
})

test("a hold that is placed after its caller got no reply is released soon, not after 165 s", async () => {
  const spender = await newSpender()
  const impatient = openPool({ connectionString: here.databaseUrl, query_timeout: 300 })
  installRuntime({ ...here, pool: impatient.pool, ...createHoldCalls() })
  const unlock = await lockRow(spender.accountId)
  const id = newId()
  const placing = hold(spender, id).catch((error: Error) => error.message)
  await waitsForLock()
  expect(await placing).toBe("Query read timeout")
  await unlock()
  const stateOf = async () => (await here.pool.query("SELECT state FROM hold WHERE id = $1", [id])).rows[0]?.state
  await expect.poll(stateOf).toBe("voided")
  const { rows } = await here.pool.query("SELECT held_pico FROM account WHERE id = $1", [spender.accountId])
  expect(rows).toEqual([{ held_pico: "0" }])
  installRuntime(here)
  await impatient.prisma.$disconnect()
  await impatient.pool.end()
})
