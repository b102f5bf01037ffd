import { expect, test } from "@playwright/test"
import { MODEL, ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"

let service: Service
test.beforeAll(async () => {
  service = await Service.start()
  await service.operator("model", "price", MODEL, "1")
})
test.afterAll(() => service.destroy())

test("10 at once on a key that allows 3 get 3 answers and 7 refusals", async () => {
  const { key } = await service.createAccountWithKey("first@example.com")
  const { usage } = (await (await service.decide(key, ONE_QUESTION)).json()) as { usage: { input_tokens: number } }
  const limitUsd = `0.${String(usage.input_tokens * 3).padStart(6, "0")}`
  const limited = await service.createAccountWithKey("limited@example.com", {
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
