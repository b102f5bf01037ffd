import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { setBudget } from "@/lib/server/keys/budgets"
import { newSecret } from "@/lib/server/keys/secret"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertKey, insertPayer } from "@/test/insert-rows"
import { roundTripsOf } from "@/test/round-trips"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"
import { stopClock } from "@/test/stop-clock"

const BODY = { model: ALIAS, state: "Where is it?", questions: { q: { type: "noul", instructions: "Late?" } } }
const ONE_USD = pico(1_000_000_000_000n)

const service = await testService()
beforeAll(async () => {
  await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(20_000n) })
  await loadCatalogue(runtime())
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Sends a request. Returns its status and its round trips. */
async function counted(key: string, body: unknown, headers: Record<string, string> = {}): Promise<[number, number]> {
  let status = 0
  const trips = await roundTripsOf(async () => {
    status = (await service.decide(key, body, headers)).status
  })
  return [status, trips]
}

describe("round trips to the database, once a key is known", () => {
  it("are two for a 200 and none for a 401, a 400 or a 429", async () => {
    // The clock is stopped, so keys stay cached. Rate windows follow the date.
    stopClock()
    const { token } = await insertPayer()
    const unknown = newSecret("svcd_").token
    const statusOf = async (key: string, body: unknown) => (await service.decide(key, body)).status
    await statusOf(token, BODY)
    await statusOf(unknown, BODY)
    expect(await counted(token, BODY)).toEqual([200, 2])
    expect(await counted(unknown, BODY)).toEqual([401, 0])
    expect(await counted(`${token}0`, BODY)).toEqual([401, 0])
    expect(await counted(token, { ...BODY, questions: {} })).toEqual([400, 0])
    expect(await counted(token, { ...BODY, model: "none" })).toEqual([400, 0])
    // On a busy machine, eleven requests may take longer than the second of their limit.
    const afterTen = async () => {
      await Promise.all(Array.from({ length: 10 }, () => statusOf(token, { ...BODY, questions: {} })))
      return counted(token, BODY)
    }
    await expect.poll(afterTen, { timeout: 20_000 }).toEqual([429, 0])
  })

  it("are two for a 200 of an account with budgets and tags", async () => {
    stopClock()
    const owner = await signUp()
    const { accountId, userId } = owner
    await postEntry(runtime().pool, { accountId, kind: "credit", amountPico: ONE_USD, source: `test:${accountId}` })
    const { token } = await insertKey(accountId, { createdBy: userId })
    const limit = { period: "monthly", limitUsd: "0.5" } as const
    await setBudget(runtime(), owner, { of: "account", tag: "", ...limit })
    await setBudget(runtime(), owner, { of: publicId("usr", userId), tag: "", ...limit })
    await setBudget(runtime(), owner, { of: "tag", tag: "team=search", ...limit })
    const ask = () => counted(token, BODY, { "x-svc-tag": "env=prod,team=search" })
    await ask()
    expect(await ask()).toEqual([200, 2])
    const { rows } = await runtime().pool.query("SELECT spent_pico > 0 AS counts FROM budget WHERE account_id = $1", [
      accountId,
    ])
    expect(rows).toEqual(Array(3).fill({ counts: true }))
  })
})
