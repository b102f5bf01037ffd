import { ONE_QUESTION } from "./support/requests"
import type { Service } from "./support/service"
import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"

/** The price of a token in micro-dollars. Three charges and a fraction are less than four. */
const PRICE_MICRO = 0.731

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

test("10 concurrent requests on a key that can pay for 3 get 3 responses and 7 refusals", async () => {
  const { key } = await service.createAccountWithKey(newEmail("first"))
  const { usage } = (await (await service.decide(key, ONE_QUESTION)).json()) as { usage: { input_tokens: number } }
  const limitUsd = `0.${String(Math.ceil(usage.input_tokens * 3 * PRICE_MICRO)).padStart(6, "0")}`
  const limited = await service.createAccountWithKey(newEmail("limited"), {
    keyArgs: ["--limit-usd", limitUsd, "--period", "lifetime"],
  })
  const responses = await Promise.all(Array.from({ length: 10 }, () => service.decide(limited.key, ONE_QUESTION)))
  const statuses = responses.map((response) => response.status).toSorted()
  expect(statuses).toEqual([200, 200, 200, 402, 402, 402, 402, 402, 402, 402])
  const refused = responses.find((response) => response.status === 402)
  expect(await refused?.json()).toMatchObject({
    error: { type: "billing_error", code: "key_limit_reached", limit_usd: limitUsd, resets_at: null },
  })
})
