import { OpenRouter } from "@openrouter/sdk"
import type { DecisionsRequest } from "@openrouter/sdk/models"
import { OpenRouterError } from "@openrouter/sdk/models/errors"
import * as typesafe from "@typesafe-ai/sdk"
import OpenAI from "openai"
import { describe, expect, it } from "vitest"
import { memoryWindows } from "@/lib/server/limits/windows"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { insertPayer } from "@/test/insert-rows"
import { testService } from "@/test/service"

const STATE = "I was charged twice and nobody has replied."
const { noul, choice, score } = typesafe
const questions = {
  angry: noul("Is the customer angry?", { true: "Angry", false: null }),
  team: choice("Which team?", { billing: "Payments", "delivery & returns": null }),
  urgency: score({ ask: "How urgent?" }, ["later", ["today"], { when: "now" }]),
}

const service = await testService()

const newToken = async (balancePico?: bigint): Promise<string> => (await insertPayer({ balancePico })).token

/** A question whose name no dialect takes, but the SDK does. */
const LINE_BREAK = { questions: { "a\nb": typesafe.noul("Refund?") } }

/** Returns the rejection of a call that must fail. */
const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (thrown: unknown) => thrown,
  )

describe("@typesafe-ai/sdk, unchanged,", () => {
  const client = (apiKey: string) =>
    new typesafe.TypeSafeClient({ apiKey, baseURL: service.url, defaultModel: ALIAS, retry: { maxRetries: 0 } })

  it("parses an answer of every type", async () => {
    const { answers, model, usage } = await client(await newToken()).systemOne({ state: STATE, questions })
    expect(model).toBe(LEXICAL_BASELINE)
    expect(answers.angry).toEqual({ type: "noul", noul: expect.any(Number) })
    expect(Object.keys(answers.team.probabilities)).toEqual(["billing", "delivery & returns"])
    expect(["billing", "delivery & returns"]).toContain(answers.team.choice)
    expect(answers.urgency.legend).toEqual({ 0: "later", 1: ["today"], 2: { when: "now" } })
    expect(answers.urgency.score).toBeGreaterThanOrEqual(0)
    expect(usage).toEqual({ input_tokens: expect.any(Number), output_tokens: 3 })
  })

  it.each([
    ["a field that is wrong", typesafe.BadRequestError, 400, "invalid_request", LINE_BREAK, () => newToken()],
    ["an unknown model", typesafe.BadRequestError, 400, "invalid_model", { model: "jev-0" }, () => newToken()],
    ["a key of another service", typesafe.AuthenticationError, 401, "invalid_api_key", {}, async () => "ts_live_1"],
    ["no balance", typesafe.APIError, 402, "insufficient_balance", {}, () => newToken(0n)],
  ])("throws its own error class for %s", async (_what, kind, status, code, change, token) => {
    const asked: typesafe.SystemOneRequest<typesafe.Questions> = { state: STATE, questions, ...change }
    const refusal = await refusalOf(client(await token()).systemOne(asked))
    expect(refusal).toBeInstanceOf(kind)
    expect(refusal).toMatchObject({ status, body: { error: { code } } })
    expect((refusal as Error).message).toMatch(/^4\d\d [A-Z]/)
  })

  it("lists the models that can be called", async () => {
    const models = await client("svcd_any").models.list()
    expect(models.map(({ name, description }) => [name, description])).toEqual([
      ["svc-decider-latest", "Alias of svc-lexical-baseline-1"],
      ["svc-lexical-baseline-1", "Pinned model"],
      ["jev-latest", "Name of svc-decider-latest"],
      ["jev-preview", "Name of svc-decider-latest"],
      ["jev-1.13.0", "Name of svc-decider-latest"],
      ["jev-1.14.0", "Name of svc-decider-latest"],
    ])
    for (const { release_date } of models) expect(release_date).toMatch(/^20\d\d-\d\d-\d\d$/)
  })

  it("reports the request id of a refusal", async () => {
    const refusal = await refusalOf(client(await newToken()).systemOne({ state: STATE, ...LINE_BREAK }))
    expect(refusal).toMatchObject({ requestId: expect.stringMatching(/^req_[0-9a-z]{26}$/) })
  })

  it("takes the delay from Retry-After", async () => {
    const token = await newToken()
    const before = runtime().rates
    runtime().rates = memoryWindows(() => 1_000)
    for (let i = 0; i < 10; i++) await service.decide(token, {})
    const refusal = await refusalOf(client(token).systemOne({ state: STATE, questions }))
    runtime().rates = before
    expect(refusal).toBeInstanceOf(typesafe.RateLimitError)
    expect(refusal).toMatchObject({ retryAfterMs: 1_000, body: { error: { code: "rate_limited" } } })
  })
})

describe("@openrouter/sdk, unchanged,", () => {
  const request: DecisionsRequest = {
    model: ALIAS,
    state: { message: STATE },
    questions: {
      angry: { type: "noul", instructions: "Is the customer angry?", criteria: { true: "Angry", false: "Calm" } },
      team: {
        type: "choice",
        instructions: "Which team?",
        criteria: { billing: "Payments", "delivery & returns": null },
      },
      urgency: { type: "score", instructions: ["How urgent?"], criteria: ["later", ["today"], { when: "now" }] },
    },
  }
  const client = (apiKey: string) =>
    new OpenRouter({ apiKey, serverURL: `${service.url}/v1`, retryConfig: { strategy: "none" } })

  it("parses an answer of every type", async () => {
    const answer = await client(await newToken()).systemOne.create({ decisionsRequest: request })
    expect(answer).toMatchObject({
      model: LEXICAL_BASELINE,
      answers: {
        angry: { type: "noul", noul: expect.any(Number) },
        team: { type: "choice", confidence: expect.any(Number) },
        urgency: { type: "score", legend: { "0": "later", "1": ["today"], "2": { when: "now" } } },
      },
      usage: { inputTokens: expect.any(Number), outputTokens: 3 },
    })
  })

  it("lists the models with their prices", async () => {
    const pages = await client("").models.list()
    const listed = []
    for await (const { result } of pages) listed.push(result)
    expect(listed).toHaveLength(1)
    expect(listed[0]).toMatchObject({ totalCount: 2, links: { next: null } })
    expect(listed[0]?.data).toMatchObject([
      { id: ALIAS, canonicalSlug: LEXICAL_BASELINE, pricing: { prompt: "0.000000000000", completion: "0" } },
      { id: LEXICAL_BASELINE, architecture: { outputModalities: ["decisions"] }, contextLength: null },
    ])
    expect(listed[0]?.data[0]?.created).toBeGreaterThan(1_700_000_000)
  })

  // The client expects a numeric error.code, where spec.md has a string. It throws its validation error with the whole body.
  it("throws an error with the status and body", async () => {
    const call = client("svcd_wrong").systemOne.create({ decisionsRequest: request })
    const refusal = await refusalOf(call)
    expect(refusal).toBeInstanceOf(OpenRouterError)
    if (!(refusal instanceof OpenRouterError)) return
    expect(refusal.statusCode).toBe(401)
    expect(JSON.parse(refusal.body).error.code).toBe("invalid_api_key")
  })
})

describe("openai, whose decisions have a different body,", () => {
  it("gets a 400 that names the difference and links the docs", async () => {
    const client = new OpenAI({ apiKey: await newToken(), baseURL: `${service.url}/v1`, maxRetries: 0 })
    const call = client.decisions.create({
      model: ALIAS,
      input: STATE,
      questions: [{ type: "predicate", name: "angry", instructions: "Is the customer angry?" }],
    })
    const refusal = await refusalOf(call)
    expect(refusal).toBeInstanceOf(OpenAI.BadRequestError)
    expect(refusal).toMatchObject({
      status: 400,
      type: "invalid_request_error",
      code: "invalid_request",
      param: "input",
      message: `400 This endpoint takes \`state\` and named \`questions\`. Send the \`input\` and the list of questions of OpenAI's Decisions API to \`POST /openai/v1/decisions\`. See ${service.runtime.env.CONSOLE_URL}/docs/openai.`,
      requestID: expect.stringMatching(/^req_/),
    })
  })
})
