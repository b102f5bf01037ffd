import { expect, test } from "vitest"
import { ServiceError } from "@/lib/shared/errors"
import { systemOneError } from "./error-body"

test("an error of a field has the contract's object, and a list for clients of System One", () => {
  const error = new ServiceError("invalid_request", { param: "questions.a.type", message: "Wrong." })
  expect(systemOneError(error)).toEqual({
    error: { message: "Wrong.", type: "invalid_request_error", code: "invalid_request", param: "questions.a.type" },
    detail: [{ type: "invalid_request", loc: ["body", "questions", "a", "type"], msg: "Wrong." }],
  })
})

test("an error of the whole body has its text at the body", () => {
  const error = new ServiceError("request_too_large", { param: "body" })
  expect(systemOneError(error)).toMatchObject({ detail: [{ loc: ["body"], msg: "The request body is too large." }] })
})

test.each([
  ["invalid_api_key", "api_usage_error"],
  ["insufficient_balance", "api_usage_error"],
  ["rate_limited", "rate_limit_error"],
  ["upstream_timeout", "api_error"],
] as const)("%s has the type %s and its message", (code, error_type) => {
  const error = new ServiceError(code, { message: "Why." })
  expect(systemOneError(error)).toMatchObject({
    error: { code, message: "Why." },
    detail: { error_type, message: "Why." },
  })
})
