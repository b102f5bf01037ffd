import { beforeAll, describe, expect, it } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"

const BODY = { model: ALIAS, state: "Refund me.", questions: { q: { type: "noul", instructions: "Refund?" } } }

const service = await testService()
beforeAll(async () => {
  await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(20_001n) })
  await loadCatalogue(runtime())
})

const costOf = (response: Response) => response.headers.get("x-svc-cost-usd")

describe("x-svc-cost-usd", () => {
  it("is exactly what the balance loses, and zero for an answer that was computed again", async () => {
    const { accountId, token } = await insertPayer()
    const before = (await moneyOf(accountId)).balance
    const keyed = { "idempotency-key": "one" }
    const first = await service.decide(token, BODY, keyed)
    const { usage } = (await first.json()) as { usage: { input_tokens: number } }
    const charged = before - (await moneyOf(accountId)).balance
    expect(charged).toBe(BigInt(usage.input_tokens) * 20_001n)
    expect(costOf(first)).toBe(`0.${charged.toString().padStart(12, "0")}`)
    expect(costOf(await service.decide(token, BODY, keyed))).toBe("0.000000000000")
  })

  it("is on no refusal", async () => {
    const { token } = await insertPayer()
    for (const [key, body] of [
      [token, { ...BODY, state: "" }],
      ["svcd_none", BODY],
    ] as const)
      expect(costOf(await service.decide(key, body))).toBeNull()
  })
})
