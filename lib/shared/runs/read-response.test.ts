import { expect, test } from "vitest"
import { readResponse } from "./read-response"

const ANSWER = '{"model":"pinned-1","answers":{},"usage":{"input_tokens":41,"output_tokens":0}}'
const ERROR = '{"error":{"message":"No.","type":"rate_limit_error","code":"rate_limited"}}'

test("an answer has its model and tokens, an error its code", () => {
  expect(readResponse(200, ANSWER)).toMatchObject({ kind: "answered", model: "pinned-1", tokens: 41 })
  expect(readResponse(429, ERROR)).toMatchObject({ kind: "refused", error: { code: "rate_limited", message: "No." } })
})

test.each([
  ["a page", 200, "<html>"],
  ["an answer that was cut off", 200, '{"model":"pinned-1"'],
  ["an answer without tokens", 200, '{"model":"pinned-1","answers":{}}'],
  ["an answer without a model", 200, ANSWER.replace('"model":"pinned-1",', "")],
  ["a fraction of a token", 200, ANSWER.replace("41", "0.5")],
  ["a negative number of tokens", 200, ANSWER.replace("41", "-1")],
  ["an error with the status of an answer", 200, ERROR],
  ["a proxy's page", 502, "<html>"],
  ["a proxy's error", 502, '{"error":{"code":"502","message":"Bad gateway."}}'],
  ["null", 502, "null"],
])("%s is unreadable", (_name, status, text) => {
  expect(readResponse(status, text)).toEqual({ kind: "unreadable" })
})
