import OpenAI from "openai"
import type { Decision, DecisionCreateParams } from "openai/resources/decisions"
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { memoryWindows } from "@/lib/server/limits/windows"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import type { LogFields } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { expectDescribed } from "@/test/contract"
import { insertFastKey, insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"

const PATH = "/openai/v1/decisions"
const PRICE = 20_001n
const REQUEST: DecisionCreateParams = {
  model: "gpt-6-luna",
  input: "I was charged twice. Refund me.",
  questions: [
    { type: "predicate", name: "refund", instructions: "The customer asks for a refund." },
    {
      type: "choice",
      instructions: "Which team?",
      choices: [{ value: "billing", description: "Payments" }, { value: "delivery" }],
    },
    { type: "score", name: "urgency", instructions: "How urgent?", levels: [{ label: "later" }, { label: "today" }] },
  ],
}

const service = await testService({ SERVICE_NAME: "Acme Decisions" })
beforeAll(async () => {
  await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(PRICE) })
  await loadCatalogue(runtime())
})

let lines: LogFields[] = []
beforeEach(() => {
  lines = []
  vi.spyOn(runtime().log, "info").mockImplementation((_message, fields = {}) => void lines.push(fields))
})
afterEach(() => vi.restoreAllMocks())

const post = (token: string, body: unknown, path = PATH) =>
  fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

const client = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${service.url}/openai/v1`, maxRetries: 0 })

const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (thrown: unknown) => thrown,
  )

describe("openai with its base set to /openai/v1", () => {
  it("gets one answer per question, in order, with all five numbers of usage, and is charged once", async () => {
    const { accountId, token } = await insertPayer()
    const before = (await moneyOf(accountId)).balance
    const decision: Decision = await client(token).decisions.create(REQUEST)
    const { answers, usage, model } = decision
    expect(model).toBe(LEXICAL_BASELINE)
    expect(answers).toEqual([
      { type: "predicate", name: "refund", probability: expect.any(Number) },
      {
        type: "choice",
        name: null,
        choice: expect.stringMatching(/^(billing|delivery)$/),
        confidence: expect.any(Number),
        probabilities: [
          { value: "billing", probability: expect.any(Number) },
          { value: "delivery", probability: expect.any(Number) },
        ],
      },
      {
        type: "score",
        name: "urgency",
        score: expect.any(Number),
        confidence: expect.any(Number),
        probabilities: [
          { value: 0, label: "later", probability: expect.any(Number) },
          { value: 1, label: "today", probability: expect.any(Number) },
        ],
      },
    ])
    expect(usage).toEqual({
      input_tokens: expect.any(Number),
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input_tokens + 3,
    })
    expect(before - (await moneyOf(accountId)).balance).toBe(BigInt(usage.input_tokens) * PRICE)
    expect(await moneyOf(accountId)).toMatchObject({ charges: 1, held: 0n })
  })

  it("gets each value back in its type, where a boolean stands beside its text", async () => {
    const { token } = await insertPayer()
    const { answers } = await client(token).decisions.create({
      ...REQUEST,
      questions: [
        { type: "choice", instructions: "Is it?", choices: [{ value: "true" }, { value: true }, { value: "" }] },
        { type: "choice", instructions: "Is it?", choices: [{ value: false }, { value: true }] },
      ],
    })
    const values = answers.map((answer) => answer.type === "choice" && answer.probabilities.map(({ value }) => value))
    expect(values).toEqual([
      ["true", true, ""],
      [false, true],
    ])
    for (const [i, answer] of answers.entries())
      expect(answer.type === "choice" && values[i]).toContain(answer.type === "choice" && answer.choice)
  })

  it("keeps questions of one name apart by their position", async () => {
    const { token } = await insertPayer()
    const one = { type: "predicate" as const, name: "a", instructions: "Refund?" }
    const questions = [one, { ...one, instructions: "The parcel is late." }, one]
    const { answers } = await client(token).decisions.create({ ...REQUEST, questions })
    expect(answers.map(({ name }) => name)).toEqual(["a", "a", "a"])
    expect(answers[2]).toEqual(answers[0])
  })

  it("throws its own class with message, code, param and request id", async () => {
    const fast = await insertFastKey()
    const poor = await insertPayer({ balancePico: 0n })
    const ask = (token: string, change: object = {}) =>
      refusalOf(client(token).decisions.create({ ...REQUEST, ...change }))
    const refusals = [
      [await ask(fast.token, { model: "jev-latest" }), OpenAI.BadRequestError, 400, "invalid_model", "model"],
      [await ask(fast.token, { input: [] }), OpenAI.BadRequestError, 400, "invalid_request", "input"],
      [await ask("sk-1"), OpenAI.AuthenticationError, 401, "invalid_api_key", undefined],
      [await ask(poor.token), OpenAI.APIError, 402, "insufficient_balance", undefined],
    ] as const
    for (const [refusal, kind, status, code, param] of refusals) {
      expect(refusal).toBeInstanceOf(kind)
      expect(refusal).toMatchObject({ status, code, param, requestID: expect.stringMatching(/^req_/) })
    }
  })

  it("throws its own class for images and files, with the reason and the field", async () => {
    const { accountId, token } = await insertPayer()
    const { decisions } = client(token)
    const image = { type: "input_image" as const, image_url: "data:image/png;base64,AA==" }
    const file = { type: "input_file", file_id: "file-1" } as never
    const [question] = REQUEST.questions
    const asked: [DecisionCreateParams, string][] = [
      [{ ...REQUEST, input: [{ role: "user", content: [image] }] }, "input"],
      [{ ...REQUEST, input: [{ role: "user", content: [file] }] }, "input"],
      [
        { ...REQUEST, questions: [{ ...question, instructions: [image] } as typeof question & object] },
        "questions.0.instructions",
      ],
    ]
    for (const [request, param] of asked) {
      const refusal = await refusalOf(decisions.create(request))
      expect(refusal).toBeInstanceOf(OpenAI.BadRequestError)
      const message = "400 This service takes neither images nor files. Send the text that they show."
      expect(refusal).toMatchObject({ code: "invalid_request", param, message })
    }
    expect(await moneyOf(accountId)).toMatchObject({ charges: 0, held: 0n })
  })

  it("lists the ids and its own names, and reads one of them", async () => {
    const { token } = await insertPayer()
    const listed = []
    for await (const model of client(token).models.list()) listed.push(model)
    expect(listed.map(({ id }) => id)).toEqual([ALIAS, LEXICAL_BASELINE, "gpt-6-luna"])
    expect(await client(token).models.retrieve("gpt-6-luna")).toEqual({
      id: "gpt-6-luna",
      object: "model",
      created: listed[2]?.created,
      owned_by: "Acme Decisions",
    })
    expect(await refusalOf(client(token).models.retrieve("jev-latest"))).toBeInstanceOf(OpenAI.NotFoundError)
    expect(await refusalOf(client("sk-1").models.list())).toBeInstanceOf(OpenAI.AuthenticationError)
  })
})

describe("POST /openai/v1/decisions", () => {
  it("is logged like /v1/decisions but for the route", async () => {
    const asked = []
    for (const [path, body] of [
      ["/v1/decisions", { model: ALIAS, state: "s", questions: { a: { type: "noul", instructions: "Is it?" } } }],
      [
        PATH,
        { model: "gpt-6-luna", input: "s", questions: [{ type: "predicate", name: "a", instructions: "Is it?" }] },
      ],
    ] as const) {
      const { token } = await insertPayer()
      lines = []
      const response = await post(token, body, path)
      await expect.poll(() => lines.length).toBe(1)
      const { route, requestId, accountId: _a, keyId: _k, latencyMs: _l, ...line } = lines[0] ?? {}
      expect([route, requestId]).toEqual([path, response.headers.get("x-request-id")])
      asked.push(line)
    }
    expect(asked[1]).toEqual(asked[0])
  })
})

it("other paths below /openai are JSON 404s that name the address that was meant", async () => {
  const { token } = await insertPayer()
  const response = await post(token, REQUEST, "/openai/decisions")
  const { error } = (await response.json()) as { error: { message: string } }
  expect(response.status).toBe(404)
  expect(error.message).toContain("/openai/v1/decisions.")
  expect((await fetch(`${service.url}/openai/v1/chat/completions`)).status).toBe(404)
})

it("models are read 5 times a second per key, as the document says", async () => {
  const { token } = await insertPayer()
  const before = runtime().rates
  runtime().rates = memoryWindows(() => 1_000)
  const statuses = []
  for (let i = 0; i < 6; i++) {
    const response = await fetch(`${service.url}/openai/v1/models`, { headers: { authorization: `Bearer ${token}` } })
    await expectDescribed(response, "/openai/v1/models", "get")
    statuses.push(response.status)
  }
  runtime().rates = before
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})
