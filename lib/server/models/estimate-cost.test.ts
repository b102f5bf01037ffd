import { expect, test } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { runtime } from "@/lib/server/platform/runtime"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { estimateCost } from "@/lib/shared/models/estimate-cost"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { testService } from "@/test/service"

const { refund, topic, anger } = EXAMPLE_REQUEST.questions
const TEXTS = [
  EXAMPLE_REQUEST.state,
  refund.instructions,
  topic.instructions,
  ...Object.entries(topic.criteria).flat(),
  anger.instructions,
  ...anger.criteria,
]

test("for the built-in model the estimate is the charge of a request with the same texts", async () => {
  const service = await testService()
  await service.runtime.pool.query("UPDATE model SET price_pico = 20000 WHERE id = $1", [LEXICAL_BASELINE])
  await loadCatalogue(runtime())
  const { accountId, token } = await insertFastKey()
  expect((await service.decide(token, EXAMPLE_REQUEST)).status).toBe(200)
  const { rows } = await service.runtime.pool.query(
    "SELECT tokens, -amount_pico AS paid FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
    [accountId],
  )
  const estimate = estimateCost(TEXTS, "0.020000")
  expect(String(estimate.tokens)).toBe(String(rows[0].tokens))
  expect(estimate.usd?.perRequest).toBe("0.000001440000")
  expect(String(rows[0].paid)).toBe("1440000")
})

test("a thousand requests cost a thousand times one, exactly, and an empty request costs nothing", () => {
  expect(estimateCost(["abcde", "", "ü€"], "0.731000")).toEqual({
    tokens: 4,
    maxTokens: 12,
    usd: { perRequest: "0.000002924000", perThousand: "0.002924000000", maxPerThousand: "0.008772000000" },
  })
  expect(estimateCost(["abc"], null)).toEqual({ tokens: 1, maxTokens: 4, usd: null })
  expect(estimateCost([], "1.000000")).toEqual({
    tokens: 0,
    maxTokens: 0,
    usd: { perRequest: "0.000000000000", perThousand: "0.000000000000", maxPerThousand: "0.000000000000" },
  })
})
