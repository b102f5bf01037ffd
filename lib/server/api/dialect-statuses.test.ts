import { OpenRouter } from "@openrouter/sdk"
import * as errors from "@openrouter/sdk/models/errors"
import OpenAI from "openai"
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type ErrorCode, ServiceError } from "@/lib/shared/errors"
import { expectDescribed } from "@/test/contract"
import { insertFastKey } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { API_CODES } from "./openapi/error"

const service = await testService()
let token: string
beforeAll(async () => {
  token = (await insertFastKey()).token
})
afterEach(() => vi.restoreAllMocks())

type Options = ConstructorParameters<typeof ServiceError>[1]
type Members = Record<string, unknown>
type Class = new (...values: never[]) => Error

const WAIT = { retryAfterSeconds: 3, retryAfterMs: 3_000 }
const BALANCE = { required_usd: "0.020000", available_usd: "0.004120", topup_url: null }
const LIMIT = { limit_usd: "5.000000", resets_at: null }
const IDS = { valid_models: ["svc-decider-latest"] }
const NEXT = { replacement_model: "svc-decider-latest" }
const { APIError, BadRequestError, AuthenticationError, RateLimitError, InternalServerError } = OpenAI

/** Every error of a decision: status, type, members beside message, type and code, and the classes that the two clients throw. */
const STATUSES: [ErrorCode, number, string, Options, Members, Class, Class][] = [
  [
    "invalid_request",
    400,
    "invalid_request_error",
    { param: "model" },
    { param: "model" },
    errors.BadRequestResponseError,
    BadRequestError,
  ],
  [
    "invalid_model",
    400,
    "invalid_request_error",
    { param: "model", extra: IDS },
    { param: "model", ...IDS },
    errors.BadRequestResponseError,
    BadRequestError,
  ],
  ["invalid_api_key", 401, "authentication_error", {}, {}, errors.UnauthorizedResponseError, AuthenticationError],
  [
    "insufficient_balance",
    402,
    "billing_error",
    { extra: BALANCE },
    BALANCE,
    errors.PaymentRequiredResponseError,
    APIError,
  ],
  ["key_limit_reached", 402, "billing_error", { extra: LIMIT }, LIMIT, errors.PaymentRequiredResponseError, APIError],
  ["model_retired", 410, "invalid_request_error", { extra: NEXT }, NEXT, errors.OpenRouterDefaultError, APIError],
  [
    "request_too_large",
    413,
    "invalid_request_error",
    { param: "body" },
    { param: "body" },
    errors.PayloadTooLargeResponseError,
    APIError,
  ],
  ["rate_limited", 429, "rate_limit_error", WAIT, {}, errors.TooManyRequestsResponseError, RateLimitError],
  ["capacity_exceeded", 429, "rate_limit_error", WAIT, {}, errors.TooManyRequestsResponseError, RateLimitError],
  ["internal_error", 500, "api_error", {}, {}, errors.InternalServerResponseError, InternalServerError],
  ["upstream_error", 502, "api_error", {}, {}, errors.BadGatewayResponseError, InternalServerError],
  ["model_unavailable", 503, "api_error", {}, {}, errors.ServiceUnavailableResponseError, InternalServerError],
  ["upstream_timeout", 504, "api_error", {}, {}, errors.OpenRouterDefaultError, InternalServerError],
]

const NAMED = { state: "s", questions: { q: { type: "noul" as const, instructions: "Is it?" } } }
const LISTED = { input: "s", questions: [{ type: "predicate" as const, instructions: "Is it?" }] }
const model = "svc-decider-latest"

const post = (path: string, body: object) =>
  fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ model, ...body }),
  })

/** Makes every decision end with an error. */
const failWith = (code: ErrorCode, options: Options) =>
  vi.spyOn(service.runtime.catalogue, "resolve").mockImplementation(() => {
    throw new ServiceError(code, options)
  })

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (thrown: unknown) => thrown,
  )

it("the table has every error of a decision", () => {
  expect(STATUSES.map(([code]) => code)).toEqual(
    API_CODES.filter((code) => code !== "not_found" && code !== "method_not_allowed"),
  )
})

describe.each(STATUSES)("%s is %i", (code, status, type, options, members, OfOpenRouter, OfOpenAi) => {
  it.each(["/api/alpha/decisions", "/api/v1/systemone", "/api/v1/decisions"])(
    "with a numeric code and the rest as metadata at %s",
    async (path) => {
      failWith(code, options)
      const response = await post(path, NAMED)
      const body = await expectDescribed(response, path)
      const error = { code: status, message: expect.any(String), metadata: { type, code, ...members } }
      expect([response.status, body]).toEqual([status, { error }])
    },
  )

  it("in the contract's form at /openai/v1/decisions", async () => {
    failWith(code, options)
    const response = await post("/openai/v1/decisions", LISTED)
    const body = await expectDescribed(response, "/openai/v1/decisions")
    expect([response.status, body]).toEqual([
      status,
      { error: { message: expect.any(String), type, code, ...members } },
    ])
  })

  it("read by @openrouter/sdk", async () => {
    failWith(code, options)
    const client = new OpenRouter({
      apiKey: token,
      serverURL: `${service.url}/api/v1`,
      retryConfig: { strategy: "none" },
    })
    const thrown = await thrownBy(client.systemOne.create({ decisionsRequest: { model, ...NAMED } }))
    expect(thrown).toBeInstanceOf(OfOpenRouter)
    expect(thrown).toMatchObject({ statusCode: status })
  })

  it("read by openai", async () => {
    failWith(code, options)
    const client = new OpenAI({ apiKey: token, baseURL: `${service.url}/openai/v1`, maxRetries: 0 })
    const thrown = await thrownBy(client.decisions.create({ model, ...LISTED }))
    expect(thrown).toBeInstanceOf(OfOpenAi)
    expect(thrown).toMatchObject({ status, code, type })
  })
})
