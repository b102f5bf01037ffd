import { expect, test } from "vitest"
import { ServiceError } from "@/lib/shared/errors"
import { Breaker, ConnectionFailure } from "./breaker"

const refused = () => new ServiceError("model_unavailable", { cause: new ConnectionFailure("connection refused") })

test("an error status or a bad body never opens it", () => {
  const breaker = new Breaker()
  for (let i = 0; i < 10; i++) breaker.record(new ServiceError("upstream_error"))
  for (let i = 0; i < 10; i++) breaker.record(new ServiceError("model_unavailable"))
  expect(breaker.isOpen).toBe(false)
})

test.each([
  ["a client that left", new Error("gone")],
  ["an internal error", new ServiceError("internal_error")],
  ["an input that was found too long before the engine was called", new ServiceError("invalid_request")],
])("%s does not restart the count", (_what, failure) => {
  const breaker = new Breaker()
  for (const each of [refused(), failure, refused(), failure, refused()]) breaker.record(each)
  expect(breaker.isOpen).toBe(true)
})

test("requests that get no answer in time do not open it", () => {
  const breaker = new Breaker()
  const silent = new ServiceError("upstream_timeout", { cause: new ConnectionFailure("no answer in time") })
  for (let i = 0; i < 10; i++) breaker.record(silent)
  expect(breaker.isOpen).toBe(false)
})
