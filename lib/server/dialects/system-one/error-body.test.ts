import { expect, test } from "vitest"
import { type ErrorCode, ServiceError } from "@/lib/shared/errors"
import { systemOneError } from "./error-body"

test("an error of a field has the contract's object, and a list for clients of System One", () => {
  const path = ["questions", "order.refund", "criteria", 3]
  const error = new ServiceError("invalid_request", { path, message: "Wrong." })
  const param = "questions.order.refund.criteria.3"
  expect(systemOneError(error)).toEqual({
    error: { message: "Wrong.", type: "invalid_request_error", code: "invalid_request", param },
    detail: [{ type: "invalid_request", loc: ["body", "questions", "order.refund", "criteria", 3], msg: "Wrong." }],
  })
})

test.each([
  ["body", ["body"]],
  ["idempotency-key", ["body", "idempotency-key"]],
])("an invalid request whose param is %s has its text at %j", (param, loc) => {
  const error = new ServiceError("invalid_request", { param, message: "Wrong." })
  expect(systemOneError(error)).toMatchObject({ error: { param }, detail: [{ loc, msg: "Wrong." }] })
})

test.each<[ErrorCode, string | undefined, string]>([
  ["invalid_model", "model", "api_usage_error"],
  ["request_too_large", "body", "api_usage_error"],
  ["insufficient_balance", undefined, "api_usage_error"],
  ["invalid_api_key", undefined, "authentication_error"],
  ["rate_limited", undefined, "rate_limit_error"],
  ["upstream_timeout", undefined, "api_error"],
])("%s has its message and a type, as clients of System One read them", (code, param, error_type) => {
  const error = new ServiceError(code, { param, message: "Why." })
  expect(systemOneError(error)).toMatchObject({
    error: { code, message: "Why." },
    detail: { error_type, message: "Why." },
  })
})
