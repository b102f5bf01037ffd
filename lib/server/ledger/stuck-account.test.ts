import { describe, expect, test } from "vitest"
import { openPool } from "@/lib/server/platform/db/connect"
import { newId } from "@/lib/server/platform/ids"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { waitsForLock } from "@/test/waits-for-lock"
import type { HoldRef } from "./held-request"
import { capture, placeHold, release } from "./hold"
import { createHoldCalls } from "./hold-statements"

const app = await testRuntime()
const modelId = await insertModel()

const hold = (actor: { accountId: string; keyId: string }, id = newId()) =>
  placeHold(runtime(), { id, actor, modelId, pricePico: pico(1), maxTokens: 10 })

/** Locks an account's row until the returned function is called. */
async function lockRow(accountId: string): Promise<() => Promise<void>> {
  const client = await app.pool.connect()
  await client.query("BEGIN")
  await client.query("SELECT 1 FROM account WHERE id = $1 FOR UPDATE", [accountId])
  return async () => {
    await client.query("COMMIT")
    client.release()
  }
}

async function newHold(actor: { accountId: string; keyId: string }): Promise<HoldRef> {
  const id = newId()
  await hold(actor, id)
  return { id, accountId: actor.accountId }
}

/** Calls `work` six times. Each call comes after the one before counts as slow, so that it may start a statement of its own. */
async function sixTimes(work: () => Promise<unknown>): Promise<Promise<unknown>[]> {
  const waiting: Promise<unknown>[] = []
  for (let i = 0; i < 6; i++) {
    waiting.push(work())
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  await waitsForLock()
  return waiting
}

describe("an account whose row is locked for long", () => {
  test("does not stop the holds of others", async () => {
    const [locked, other] = [await insertPayer(), await insertPayer()]
    const unlock = await lockRow(locked.accountId)
    const waiting = await sixTimes(() => hold(locked))
    expect(await hold(other)).toEqual({ outcome: "held" })
    await unlock()
    for (const outcome of await Promise.all(waiting)) expect(outcome).toEqual({ outcome: "held" })
  })

  test.each([
    [
      "captures",
      (one: HoldRef) => capture(runtime(), one, { tokens: 1, latencyMs: 1, questionCounts: { noul: 1 } }),
      "captured",
    ],
    ["releases", (one: HoldRef) => release(runtime(), one), "voided"],
  ])("does not stop the %s of others", async (_, end, ended) => {
    const [locked, other] = [await insertPayer(), await insertPayer()]
    const holds = await Promise.all(Array.from({ length: 6 }, () => newHold(locked)))
    const others = await newHold(other)
    const unlock = await lockRow(locked.accountId)
    const waiting = await sixTimes(() => end(holds.pop() ?? others))
    expect(await end(others)).toBe(ended)
    await unlock()
    for (const state of await Promise.all(waiting)) expect(state).toBe(ended)
  })

  test("leaves connections of the pool to others while many of its holds are released", async () => {
    const locked = await insertPayer()
    const holds = await Promise.all(Array.from({ length: 20 }, () => newHold(locked)))
    const unlock = await lockRow(locked.accountId)
    const waiting = holds.map((one) => release(runtime(), one))
    await waitsForLock()
    expect((await app.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
    await unlock()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["voided"]))
  })
})

test("a hold that is placed after its caller got no reply is released soon, not after 165 s", async () => {
  const spender = await insertPayer()
  const impatient = openPool({ connectionString: app.databaseUrl, query_timeout: 300 })
  installRuntime({ ...app, pool: impatient, ...createHoldCalls() })
  const unlock = await lockRow(spender.accountId)
  const id = newId()
  const placing = hold(spender, id).catch((error: Error) => error.message)
  await waitsForLock()
  expect(await placing).toBe("Query read timeout")
  await unlock()
  const stateOf = async () => (await app.pool.query("SELECT state FROM hold WHERE id = $1", [id])).rows[0]?.state
  await expect.poll(stateOf).toBe("voided")
  const { rows } = await app.pool.query("SELECT held_pico FROM account WHERE id = $1", [spender.accountId])
  expect(rows).toEqual([{ held_pico: "0" }])
  installRuntime(app)
  await impatient.end()
})
