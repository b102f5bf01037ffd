import { describe, expect, test } from "vitest"
import { checkedRequest, noul } from "@/test/checked-request"
import { type Exchange, readOutcome } from "./read-outcome"

const MODELS = [
  { id: "latest", pinnedId: "pinned-1", pricePerMillionUsd: "0.030000", caution: null },
  { id: "pinned-1", pinnedId: "pinned-1", pricePerMillionUsd: "0.020000", caution: null },
]
const exchange = (status: number, responseText: string, headers: [string, string][] = []): Exchange => ({
  requestText: "{}",
  request: checkedRequest("s", noul("q", "?")),
  status,
  headers,
  responseText,
  latencyMs: 5,
})

test("a 200 shows the pinned model, and its tokens times its own price", () => {
  const body =
    '{"model":"pinned-1","answers":{"q":{"type":"noul","noul":0.25}},"usage":{"input_tokens":41,"output_tokens":1}}'
  expect(readOutcome(exchange(200, body, [["x-request-id", "req_1"]]), MODELS)).toMatchObject({
    kind: "answered",
    model: "pinned-1",
    tokens: 41,
    costUsd: "0.000000820000",
    requestId: "req_1",
    answers: [{ name: "q", type: "noul", chart: { yes: { percent: "25.0%" } } }],
  })
})

test("a model without a known price has no cost", () => {
  const body = '{"model":"pinned-2","answers":{},"usage":{"input_tokens":41,"output_tokens":1}}'
  expect(readOutcome(exchange(200, body), MODELS)).toMatchObject({ kind: "answered", costUsd: null })
})

describe("refusals", () => {
  test("carry the API's code, param and Retry-After", () => {
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
})
