import { beforeAll, describe, expect, it } from "vitest"
import { type TestService, testService } from "@/test/service"

let service: TestService
beforeAll(async () => {
  service = await testService()
})

describe("GET /v1/models", () => {
  it("needs no key and lists the alias with what it points at", async () => {
    const response = await fetch(`${service.url}/v1/models`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      data: [
        {
          id: "svc-decider-latest",
          kind: "alias",
          target_model: "svc-lexical-baseline-1",
          status: "active",
          replacement_model: null,
          price_per_million_input_tokens_usd: "0.000000",
          max_questions: 16,
          max_options: 255,
          max_levels: 10,
          max_body_bytes: 29_360_128,
        },
        {
          id: "svc-lexical-baseline-1",
          kind: "pinned",
          target_model: null,
          status: "active",
          replacement_model: null,
          price_per_million_input_tokens_usd: "0.000000",
          max_questions: 16,
          max_options: 255,
          max_levels: 10,
          max_body_bytes: 29_360_128,
        },
      ],
    })
  })

  it("answers 5 a second to one client and refuses the rest with Retry-After", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(`${service.url}/v1/models`)))
    const refused = responses.filter((response) => response.status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(10)
    expect(refused[0]?.headers.get("retry-after")).toBe("1")
  })
})
