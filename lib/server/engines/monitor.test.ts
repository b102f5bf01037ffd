import { describe, expect, test } from "vitest"
import { ServiceError } from "@/lib/shared/errors"
import { DOWN, pass, testMonitor, UP } from "@/test/watched-engine"
import { ConnectionFailure } from "./breaker"

const refused = new ServiceError("model_unavailable", { cause: new ConnectionFailure("connection refused") })
const engine = testMonitor()

test("an engine is unavailable until its first probe succeeds", async () => {
  engine.watch()
  expect(engine.monitor.availability).toEqual({ available: false, reason: "The engine has not been probed yet." })
  await pass(0)
  expect(engine.monitor.availability).toEqual({ available: true, reason: null })
})

test("an available engine is probed every 15 s, an unavailable one every 5 s", async () => {
  engine.watch()
  await pass(0)
  expect(engine.probes).toBe(1)
  await pass(14_999)
  expect(engine.probes).toBe(1)
  await pass(1)
  expect(engine.probes).toBe(2)
  engine.found = DOWN
  await pass(30_000)
  expect(engine.probes).toBe(4)
  await pass(5_000)
  expect(engine.probes).toBe(5)
})

test("two consecutive failures make it unavailable, and one success restores it", async () => {
  engine.watch()
  await pass(0)
  engine.found = DOWN
  await pass(15_000)
  expect(engine.monitor.availability.available).toBe(true)
  await pass(15_000)
  expect(engine.monitor.availability).toEqual({ available: false, reason: "It is down." })
  engine.found = UP
  await pass(5_000)
  expect(engine.monitor.availability.available).toBe(true)
  expect(engine.changes).toEqual([true, false, true])
})

test("a probe whose own question is answered wrongly makes it unavailable at once", async () => {
  engine.watch()
  await pass(0)
  engine.found = { ...DOWN, isWrong: true }
  await pass(15_000)
  expect(engine.monitor.availability).toEqual({ available: false, reason: "It is down." })
})

test("an answer that cannot be used starts a probe, 5 s after the last one began or later", async () => {
  engine.watch()
  await pass(1_000)
  const fail = () => engine.monitor.failed(new ServiceError("upstream_error"))
  for (let i = 0; i < 10; i++) fail()
  await pass(3_999)
  expect(engine.probes).toBe(1)
  await pass(1)
  expect(engine.probes).toBe(2)
  await pass(14_000)
  fail()
  await pass(0)
  expect(engine.probes).toBe(3)
  // Only a failed probe makes the engine unavailable.
  expect(engine.monitor.availability.available).toBe(true)
  await pass(14_999)
  expect(engine.probes).toBe(3)
})

test("a success in between restarts the count", async () => {
  engine.watch()
  for (const next of [UP, DOWN, UP, DOWN]) {
    engine.found = next
    await pass(15_000)
  }
  expect(engine.monitor.availability.available).toBe(true)
})

test("three consecutive connection failures make it unavailable until a probe 5 s later succeeds", async () => {
  engine.watch()
  await pass(0)
  engine.monitor.failed(refused)
  engine.monitor.failed(refused)
  engine.monitor.answered()
  engine.monitor.failed(refused)
  engine.monitor.failed(refused)
  expect(engine.monitor.availability.available).toBe(true)
  engine.monitor.failed(refused)
  expect(engine.monitor.availability).toEqual({
    available: false,
    reason: "Three connections to the engine failed in a row.",
  })
  engine.monitor.answered()
  expect(engine.monitor.availability.available).toBe(false)
  await pass(5_000)
  expect(engine.monitor.availability.available).toBe(true)
})

test("a probe requested during a probe joins it", async () => {
  engine.watch()
  const [first, second] = await Promise.all([engine.monitor.probe(), engine.monitor.probe()])
  expect(first).toBe(second)
  expect(engine.probes).toBe(1)
})

describe("the build", () => {
  test("of a model without one is reported once", async () => {
    engine.watch()
    await pass(60_000)
    expect(engine.builds).toEqual(["b1"])
  })

  test("that differs from the recorded one makes it unavailable at once, until the recorded one returns", async () => {
    engine.watch("b1")
    await pass(0)
    expect(engine.builds).toEqual(["b1"])
    engine.found = { available: true, build: "b2" }
    await pass(15_000)
    expect(engine.monitor.availability).toEqual({
      available: false,
      reason: "The engine runs build b2, but this model is pinned to build b1.",
    })
    engine.found = UP
    await pass(5_000)
    expect(engine.monitor.availability.available).toBe(true)
  })

  test("that is no longer reported makes it unavailable", async () => {
    engine.watch("b1")
    await pass(0)
    engine.found = { available: true }
    await pass(15_000)
    expect(engine.monitor.availability.reason).toBe(
      "The engine does not say which build it runs, but this model is pinned to build b1.",
    )
  })

  test("that another process recorded applies at once", async () => {
    engine.watch()
    await pass(0)
    engine.monitor.setPin({ build: "b0", facts: null })
    expect(engine.monitor.availability.reason).toBe("The engine runs build b1, but this model is pinned to build b0.")
  })
})

test("nothing is probed after close", async () => {
  engine.watch()
  await pass(0)
  engine.monitor.close()
  await pass(60_000)
  expect(engine.probes).toBe(1)

  engine.watch()
  engine.monitor.close()
  await pass(60_000)
  expect(engine.probes).toBe(2)
})
