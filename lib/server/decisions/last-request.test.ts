import { beforeEach, describe, expect, it } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { toServiceError } from "@/lib/shared/errors"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { decideAs } from "@/test/decide-directly"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { scriptedService } from "@/test/scripted-service"

/** What 279 tokens cost, $0.00000558, at $0.02 per million. */
const COST = 5_580_000n
const ROOM = 100n * COST

const scripted = scriptedService()
beforeEach(async () => {
  await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(20_000n) })
  await loadCatalogue(runtime())
  Object.assign(scripted.engine, { maxTokens: 350, usedTokens: 279 })
})

const KEY_TAG = "team=search"

/** Decides one noul. Returns "200" or the code of the refusal. */
const decided = (actor: { accountId: string; keyId: string }): Promise<string> =>
  decideAs(actor, new AbortController().signal, { keyTags: [KEY_TAG] }).then(
    () => "200",
    (failure) => toServiceError(failure).code,
  )

function countOf(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

const OF_BUDGET = { account: { period: "monthly" }, member: { period: "daily" }, tag: { period: "daily" } } as const

/** Inserts a payer with a budget for 100 requests: of the account, of the member who created the key, or of the key's tag. */
async function insertBudgeted(of: keyof typeof OF_BUDGET) {
  const createdBy = newId()
  const { pool } = runtime()
  await pool.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [createdBy, `${createdBy}@example.com`])
  const actor = await insertPayer({ balancePico: 10_000n * COST, createdBy })
  const subject = [of === "member" ? createdBy : null, OF_BUDGET[of].period, ROOM, of === "tag" ? KEY_TAG : null]
  await pool.query("SELECT set_budget($1, $2, $3, $4, $5, $6)", [newId(), actor.accountId, ...subject])
  return actor
}

const LIMIT = "key_limit_reached"
const BALANCE = "insufficient_balance"

describe.each<[string, string, () => Promise<{ accountId: string; keyId: string }>]>([
  ["a key's limit", LIMIT, () => insertPayer({ balancePico: 10_000n * COST, limitPico: ROOM })],
  ["a balance", BALANCE, () => insertPayer({ balancePico: ROOM })],
  ["a budget of the account", LIMIT, () => insertBudgeted("account")],
  ["a budget of a member", LIMIT, () => insertBudgeted("member")],
  ["a budget of a tag", LIMIT, () => insertBudgeted("tag")],
])("%s for 100 requests, whose tokens are known only after a count", (_, code, insertActor) => {
  it("pays for 100 of 103 sent one at a time", async () => {
    const actor = await insertActor()
    const outcomes: string[] = []
    for (let i = 0; i < 103; i++) outcomes.push(await decided(actor))
    expect(countOf(outcomes)).toEqual({ 200: 100, [code]: 3 })
    expect(await moneyOf(actor.accountId)).toMatchObject({ held: 0n, charges: 100 })
  })

  it("pays for 100 of 300 sent at once", async () => {
    const actor = await insertActor()
    const outcomes = await Promise.all(Array.from({ length: 300 }, () => decided(actor)))
    expect(countOf(outcomes)).toEqual({ 200: 100, [code]: 200 })
    expect(await moneyOf(actor.accountId)).toMatchObject({ held: 0n, charges: 100 })
  })
})

describe("a key whose limit is used up", () => {
  it("is refused without a count, which costs nothing", async () => {
    const actor = await insertPayer({ balancePico: 10_000n * COST, limitPico: COST })
    expect(await decided(actor)).toBe("200")
    let counts = 0
    scripted.engine.waitBeforeCount = () => void counts++
    expect(await decided(actor)).toBe("key_limit_reached")
    expect(counts).toBe(0)
  })
})
