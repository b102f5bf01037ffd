import { expect, test } from "vitest"
import { ServiceError } from "@/lib/shared/errors"
import { Breaker, ConnectionFailure } from "./breaker"

const refused = () => new ServiceError("model_unavailable", { cause: new ConnectionFailure("connection refused") })

test("three failed connections in a row open it, and the third says so once", () => {
  const breaker = new Breaker()
  expect([breaker.record(refused()), breaker.record(refused())]).toEqual([false, false])
  expect(breaker.isOpen).toBe(false)
  expect([breaker.record(refused()), breaker.record(refused())]).toEqual([true, false])
  expect(breaker.isOpen).toBe(true)
})

test("an answer in between starts the count again", () => {
  const breaker = new Breaker()
  for (const failure of [refused(), refused(), new ServiceError("upstream_error"), refused(), refused()])
    breaker.record(failure)
  expect(breaker.isOpen).toBe(false)
})

test("a status or a bad body never opens it", () => {
  const breaker = new Breaker()
  for (let i = 0; i < 10; i++) breaker.record(new ServiceError("upstream_error"))
  for (let i = 0; i < 10; i++) breaker.record(new ServiceError("model_unavailable"))
  expect(breaker.isOpen).toBe(false)
})

test("a client that went away and a failure of ours say nothing", () => {
  const breaker = new Breaker()
  const failures = [refused(), new Error("gone"), refused(), new ServiceError("internal_error"), refused()]
  for (const failure of failures) breaker.record(failure)
  expect(breaker.isOpen).toBe(true)
})

test("a successful probe closes it", () => {
  const breaker = new Breaker()
  for (let i = 0; i < 3; i++) breaker.record(refused())
  breaker.close()
  expect(breaker.isOpen).toBe(false)
})
