import { describe, expect, test } from "vitest"
import { checkedRequest, noul } from "../../test/checked-request"
import { describeRefusal } from "./describe-refusal"
import { type Exchange, readOutcome } from "./read-outcome"

const MODELS = [
  { id: "latest", pinnedId: "pinned-1", pricePerMillionUsd: "0.030000", isBaseline: false },
  { id: "pinned-1", pinnedId: "pinned-1", pricePerMillionUsd: "0.020000", isBaseline: false },
]
const exchange = (status: number, responseText: string, headers: [string, string][] = []): Exchange => ({
  requestText: "{}",
  request: checkedRequest("s", noul("q", "?")),
  status,
  headers,
  responseText,
  latencyMs: 5,
})

test("a 200 shows the pinned model and its tokens times its own price, exact", () => {
  const body =
    '{"model":"pinned-1","answers":{"q":{"type":"noul","noul":0.25}},"usage":{"input_tokens":41,"output_tokens":1}}'
  expect(readOutcome(exchange(200, body, [["x-request-id", "req_1"]]), MODELS)).toMatchObject({
    kind: "answered",
    model: "pinned-1",
    tokens: 41,
    costUsd: "0.000000820000",
    requestId: "req_1",
    answers: [{ name: "q", type: "noul", gauge: { yes: { percent: "25.0%" } } }],
  })
})

test("a model without a known price has no cost rather than a wrong one", () => {
  const body = '{"model":"pinned-2","answers":{},"usage":{"input_tokens":41,"output_tokens":1}}'
  expect(readOutcome(exchange(200, body), MODELS)).toMatchObject({ kind: "answered", costUsd: null })
})

describe("refusals", () => {
  test("carry the API's code, param and the seconds to wait", () => {
    const body = '{"error":{"message":"No.","type":"rate_limit_error","code":"rate_limited"}}'
    expect(readOutcome(exchange(429, body, [["retry-after", "1"]]), MODELS)).toMatchObject({
      kind: "refused",
      refusal: { code: "rate_limited", message: "No.", retryAfterSeconds: 1 },
    })
  })

  test("a 504 without a body is a timeout, and anything unreadable says so", () => {
    expect(readOutcome(exchange(504, ""), MODELS)).toMatchObject({ refusal: { code: "upstream_timeout" } })
    expect(readOutcome(exchange(200, "<html>"), MODELS)).toMatchObject({ refusal: { code: "unreadable" } })
    expect(readOutcome(exchange(502, "null"), MODELS)).toMatchObject({ refusal: { code: "unreadable" } })
  })

  test("a daily limit says when requests resume, a lifetime limit what to do instead", () => {
    const refused = { code: "key_limit_reached", message: "", retryAfterSeconds: null, limit_usd: "0.500000" }
    const now = new Date("2026-11-20T18:48:30Z")
    expect(describeRefusal({ ...refused, resets_at: "2026-11-21T00:00:00.000Z" }, now)).toEqual({
      title: "Daily limit of $0.50 reached",
      advice: "Requests resume at 00:00 UTC, in 5 h 12 min.",
    })
    expect(describeRefusal({ ...refused, resets_at: null }, now)).toEqual({
      title: "Lifetime limit of $0.50 reached",
      advice: "Spend as another key, or create a new one under API keys.",
    })
  })

  test("a key that is gone, found by its id or in between, asks for another", () => {
    for (const code of ["not_found", "invalid_api_key"])
      expect(describeRefusal({ code, message: "", retryAfterSeconds: null }, new Date())).toEqual({
        title: "The chosen key can no longer be used",
        advice: "It was revoked or has expired. Choose another under Spends as.",
      })
  })

  test("a low balance says what is needed and what is there", () => {
    const refused = { message: "", retryAfterSeconds: null, required_usd: "0.020000", available_usd: "-0.000100" }
    expect(describeRefusal({ ...refused, code: "insufficient_balance" }, new Date()).advice).toBe(
      "This request sets aside $0.02; −$0.0001 is available. Top up, or send a shorter request.",
    )
  })
})
