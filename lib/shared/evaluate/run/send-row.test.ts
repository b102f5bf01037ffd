import { afterEach, expect, test, vi } from "vitest"
import { sendRow } from "./send-row"
import type { SharedRequest } from "./shared-request"

afterEach(() => {
  vi.unstubAllGlobals()
})

const SHARED: SharedRequest = {
  pinnedId: "m-1",
  keyId: "",
  pricePerMillionUsd: "1",
  questions: [],
  questionsJson: "{}",
}

function sendTo(body: string, init: ResponseInit) {
  vi.stubGlobal("fetch", async () => new Response(body, init))
  return sendRow(SHARED, '"s"', "attempt", "acct")
}

test.each([
  ["a proxy's 502 page", "<html>502 Bad Gateway</html>", 502],
  ["a 504 without a body", "", 504],
  ["a proxy's JSON error", '{"error":{"code":"502","message":"Bad gateway."}}', 502],
  ["a page instead of an answer", "<html>Sign in</html>", 200],
  ["an answer that was cut off", '{"answers":{', 200],
])("%s counts as a lost response, because the row may have been charged", async (_, body, status) => {
  await expect(sendTo(body, { status })).rejects.toThrow(`The response with status ${status} is not the API's.`)
})

test("a proxy's 4xx page is a refusal, because the service did not see the request", async () => {
  expect(await sendTo("<html>413 Request Entity Too Large</html>", { status: 413 })).toMatchObject({
    status: "refused",
    code: "unreadable",
    message: "A proxy refused the request with status 413.",
  })
})

test("an error of the API is a refusal without a charge", async () => {
  const body = '{"error":{"message":"No model.","type":"api_error","code":"upstream_error"}}'
  expect(await sendTo(body, { status: 502, headers: { "retry-after": "2", "x-request-id": "req_1" } })).toEqual({
    status: "refused",
    code: "upstream_error",
    message: "No model.",
    refusal: '{"message":"No model.","type":"api_error","code":"upstream_error"}',
    requestId: "req_1",
    retryAfterMs: 2_000,
    rate: null,
  })
})
