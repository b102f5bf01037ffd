import { describe, expect, it } from "vitest"
import { toServiceError } from "@/lib/shared/errors"
import { decideAs } from "@/test/decide-directly"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { scriptedService } from "@/test/scripted-service"

/** What 279 tokens cost. */
const COST = 27_900_000_000n
const ROOM = 100n * COST

const scripted = scriptedService()

/** Decides one noul. Returns "200" or the code of the refusal. */
const decided = (actor: { accountId: string; keyId: string }): Promise<string> =>
  decideAs(actor, new AbortController().signal).then(
    () => "200",
    (failure) => toServiceError(failure).code,
  )

function countOf(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

describe.each([
  ["a key's limit", "key_limit_reached", { balancePico: 10_000n * COST, limitPico: ROOM }],
  ["a balance", "insufficient_balance", { balancePico: ROOM }],
])("%s for 100 requests, whose tokens are known only after a count", (_, code, options) => {
  const newActor = () => {
    Object.assign(scripted.engine, { maxTokens: 350, usedTokens: 279 })
    return insertPayer(options)
  }

  it("pays for 100 of 103 sent one at a time", async () => {
    const actor = await newActor()
    const outcomes: string[] = []
    for (let i = 0; i < 103; i++) outcomes.push(await decided(actor))
    expect(countOf(outcomes)).toEqual({ 200: 100, [code]: 3 })
    expect(await moneyOf(actor.accountId)).toMatchObject({ held: 0n, charges: 100 })
  })

  it("pays for 100 of 300 sent at once", async () => {
    const actor = await newActor()
    const outcomes = await Promise.all(Array.from({ length: 300 }, () => decided(actor)))
    expect(countOf(outcomes)).toEqual({ 200: 100, [code]: 200 })
    expect(await moneyOf(actor.accountId)).toMatchObject({ held: 0n, charges: 100 })
  })
})

describe("a key whose limit is used up", () => {
  it("is refused without a count, which costs nothing", async () => {
    const actor = await insertPayer({ balancePico: 10_000n * COST, limitPico: COST })
    Object.assign(scripted.engine, { maxTokens: 350, usedTokens: 279 })
    expect(await decided(actor)).toBe("200")
    let counts = 0
    scripted.engine.waitBeforeCount = () => void counts++
    expect(await decided(actor)).toBe("key_limit_reached")
    expect(counts).toBe(0)
  })
})
