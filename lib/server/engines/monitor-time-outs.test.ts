import { describe, expect, test } from "vitest"
import { HANGING, pass, testMonitor } from "@/test/watched-engine"
import type { ProbeResult } from "./engine"

const engine = testMonitor()

test("a probe ends after 10 s", async () => {
  engine.found = HANGING
  engine.watch()
  await pass(10_000)
  expect(engine.monitor.availability).toEqual({ available: false, reason: "No answer in time." })
})

test("a probe that times out is not a failure while the engine reports its health and answered a request in the last 120 s", async () => {
  engine.watch()
  await pass(0)
  engine.found = HANGING
  void engine.monitor.watch(() => new Promise(() => {}))
  await pass(100_000)
  await engine.monitor.watch(async () => {})
  await pass(110_000)
  expect(engine.probes).toBeGreaterThan(8)
  expect(engine.changes).toEqual([true])
  await pass(25_000)
  expect(engine.monitor.availability).toEqual({ available: false, reason: "No answer in time." })
})

test("an engine that answers no probe and gets no request is unavailable 75 s after its last answer", async () => {
  engine.watch()
  await pass(0)
  engine.found = HANGING
  await pass(59_000)
  expect(engine.changes).toEqual([true])
  await pass(16_000)
  expect(engine.monitor.availability).toEqual({ available: false, reason: "No answer in time." })
})

describe("a probe that times out and has read", () => {
  const other = "The engine runs build b2, but this model is pinned to build b1."

  test("another build makes the engine unavailable at once, however busy it is", async () => {
    engine.watch("b1")
    await pass(0)
    void engine.monitor.watch(() => new Promise(() => {}))
    engine.found = HANGING
    engine.late = { ...engine.late, build: "b2" }
    await pass(25_000)
    expect(engine.monitor.availability).toEqual({ available: false, reason: other })
  })

  test("the pinned build makes an engine available that this process has not seen before, within 2 s", async () => {
    engine.found = HANGING
    engine.late = { ...engine.late, build: "b1", isOnlySlow: true }
    engine.watch("b1")
    await pass(1_500)
    expect(engine.monitor.availability).toEqual({ available: true, reason: null })
    await pass(75_000)
    expect(engine.monitor.availability.available).toBe(false)
    await pass(75_000)
    expect(engine.monitor.availability.available).toBe(false)
  })

  test.each<[string, string | null, ProbeResult, boolean]>([
    ["a build, of an id without a pinned one", null, { available: false, build: "b1", isOnlySlow: true }, true],
    ["no build", "b1", { available: false, isOnlySlow: true }, true],
    ["only the build", "b1", { available: false, build: "b1" }, true],
    [
      "the pinned build, while the engine does not report its health",
      "b1",
      { available: false, build: "b1", isOnlySlow: true },
      false,
    ],
  ])("%s leaves the engine unavailable", async (_, pinned, read, alive) => {
    engine.found = HANGING
    engine.late = { ...read, reason: "No answer in time." }
    engine.isAlive = alive
    engine.watch(pinned)
    await pass(30_000)
    expect(engine.monitor.availability.available).toBe(false)
  })
})

test("two probes that time out make an engine without a health report unavailable", async () => {
  engine.watch()
  await pass(0)
  engine.found = HANGING
  engine.isAlive = false
  await pass(15_000 + 10_000 + 15_000 + 10_000)
  expect(engine.monitor.availability).toEqual({ available: false, reason: "No answer in time." })
})
