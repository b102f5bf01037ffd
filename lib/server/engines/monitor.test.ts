import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { ServiceError } from "@/lib/shared/errors"
import { ConnectionFailure } from "./breaker"
import type { Engine, ProbeResult } from "./engine"
import { Monitor, type MonitorTiming } from "./monitor"

const TIMING: MonitorTiming = {
  everyMs: 15_000,
  whileDownMs: 5_000,
  probeLimitMs: 10_000,
  firstLimitMs: 1_500,
  healthLimitMs: 2_000,
  silenceLimitMs: 120_000,
  idleLimitMs: 60_000,
}
const down: ProbeResult = { available: false, reason: "It is down." }
const up: ProbeResult = { available: true, build: "b1" }
const refused = new ServiceError("model_unavailable", { cause: new ConnectionFailure("connection refused") })

let found: ProbeResult | Promise<ProbeResult>
/** What a probe returns that times out. */
let late: ProbeResult
let isAlive: boolean
let probes: number
let monitor: Monitor
let builds: (string | null)[]
let changes: boolean[]

function watch(recordedBuild: string | null = null): Monitor {
  const engine = {
    probe: async (signal: AbortSignal) => {
      probes++
      const timedOut = new Promise<ProbeResult>((resolve) => {
        signal.addEventListener("abort", () => resolve(late))
      })
      return Promise.race([found, timedOut])
    },
    isAlive: async () => isAlive,
  } as unknown as Engine
  monitor = new Monitor(engine, { build: recordedBuild, facts: null }, TIMING, {
    seen: ({ build }) => builds.push(build),
    slots: () => {},
    change: ({ available }) => changes.push(available),
  })
  monitor.start()
  return monitor
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  probes = 0
  builds = []
  changes = []
  found = up
  late = { available: false, reason: "No answer in time." }
  isAlive = true
})
afterEach(() => {
  monitor.close()
  vi.useRealTimers()
})

test("an engine is unavailable until its first probe succeeds", async () => {
  watch()
  expect(monitor.availability).toEqual({ available: false, reason: "The engine has not been probed yet." })
  await pass(0)
  expect(monitor.availability).toEqual({ available: true, reason: null })
})

test("an available engine is probed every 15 s, an unavailable one every 5 s", async () => {
  watch()
  await pass(0)
  expect(probes).toBe(1)
  await pass(14_999)
  expect(probes).toBe(1)
  await pass(1)
  expect(probes).toBe(2)
  found = down
  await pass(30_000)
  expect(probes).toBe(4)
  await pass(5_000)
  expect(probes).toBe(5)
})

test("two consecutive failures make it unavailable, and one success restores it", async () => {
  watch()
  await pass(0)
  found = down
  await pass(15_000)
  expect(monitor.availability.available).toBe(true)
  await pass(15_000)
  expect(monitor.availability).toEqual({ available: false, reason: "It is down." })
  found = up
  await pass(5_000)
  expect(monitor.availability.available).toBe(true)
  expect(changes).toEqual([true, false, true])
})

test("a success in between restarts the count", async () => {
  watch()
  for (const next of [up, down, up, down]) {
    found = next
    await pass(15_000)
  }
  expect(monitor.availability.available).toBe(true)
})

test("a probe ends after 10 s", async () => {
  found = new Promise(() => {})
  watch()
  await pass(10_000)
  expect(monitor.availability).toEqual({ available: false, reason: "No answer in time." })
})

test("a probe that times out is not a failure while the engine reports its health and answered a request in the last 120 s", async () => {
  watch()
  await pass(0)
  found = new Promise(() => {})
  void monitor.watch(() => new Promise(() => {}))
  await pass(100_000)
  await monitor.watch(async () => {})
  await pass(110_000)
  expect(probes).toBeGreaterThan(8)
  expect(changes).toEqual([true])
  await pass(25_000)
  expect(monitor.availability).toEqual({ available: false, reason: "No answer in time." })
})

test("an engine that answers no probe and gets no request is unavailable 75 s after its last answer", async () => {
  watch()
  await pass(0)
  found = new Promise(() => {})
  await pass(59_000)
  expect(changes).toEqual([true])
  await pass(16_000)
  expect(monitor.availability).toEqual({ available: false, reason: "No answer in time." })
})

describe("a probe that times out and has read", () => {
  const other = "The engine runs build b2, but this model is pinned to build b1."

  test("another build makes the engine unavailable at once, however busy it is", async () => {
    watch("b1")
    await pass(0)
    void monitor.watch(() => new Promise(() => {}))
    found = new Promise(() => {})
    late = { ...late, build: "b2" }
    await pass(25_000)
    expect(monitor.availability).toEqual({ available: false, reason: other })
  })

  test("the pinned build makes an engine available that this process has not seen before, within 2 s", async () => {
    found = new Promise(() => {})
    late = { ...late, build: "b1", isOnlySlow: true }
    watch("b1")
    await pass(1_500)
    expect(monitor.availability).toEqual({ available: true, reason: null })
    await pass(75_000)
    expect(monitor.availability.available).toBe(false)
    await pass(75_000)
    expect(monitor.availability.available).toBe(false)
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
    found = new Promise(() => {})
    late = { ...read, reason: "No answer in time." }
    isAlive = alive
    watch(pinned)
    await pass(30_000)
    expect(monitor.availability.available).toBe(false)
  })
})

test("two probes that time out make an engine without a health report unavailable", async () => {
  watch()
  await pass(0)
  found = new Promise(() => {})
  isAlive = false
  await pass(15_000 + 10_000 + 15_000 + 10_000)
  expect(monitor.availability).toEqual({ available: false, reason: "No answer in time." })
})

test("three consecutive connection failures make it unavailable until a probe 5 s later succeeds", async () => {
  watch()
  await pass(0)
  monitor.failed(refused)
  monitor.failed(refused)
  monitor.answered()
  monitor.failed(refused)
  monitor.failed(refused)
  expect(monitor.availability.available).toBe(true)
  monitor.failed(refused)
  expect(monitor.availability).toEqual({
    available: false,
    reason: "Three connections to the engine failed in a row.",
  })
  monitor.answered()
  expect(monitor.availability.available).toBe(false)
  await pass(5_000)
  expect(monitor.availability.available).toBe(true)
})

test("a probe requested during a probe joins it", async () => {
  watch()
  const [first, second] = await Promise.all([monitor.probe(), monitor.probe()])
  expect(first).toBe(second)
  expect(probes).toBe(1)
})

describe("the build", () => {
  test("of a model without one is reported once", async () => {
    watch()
    await pass(60_000)
    expect(builds).toEqual(["b1"])
  })

  test("that differs from the recorded one makes it unavailable at once, until the recorded one returns", async () => {
    watch("b1")
    await pass(0)
    expect(builds).toEqual(["b1"])
    found = { available: true, build: "b2" }
    await pass(15_000)
    expect(monitor.availability).toEqual({
      available: false,
      reason: "The engine runs build b2, but this model is pinned to build b1.",
    })
    found = up
    await pass(5_000)
    expect(monitor.availability.available).toBe(true)
  })

  test("that is no longer reported makes it unavailable", async () => {
    watch("b1")
    await pass(0)
    found = { available: true }
    await pass(15_000)
    expect(monitor.availability.reason).toBe(
      "The engine does not say which build it runs, but this model is pinned to build b1.",
    )
  })

  test("that another process recorded applies at once", async () => {
    watch()
    await pass(0)
    monitor.setPin({ build: "b0", facts: null })
    expect(monitor.availability.reason).toBe("The engine runs build b1, but this model is pinned to build b0.")
  })
})

test("nothing is probed after close", async () => {
  watch()
  await pass(0)
  monitor.close()
  await pass(60_000)
  expect(probes).toBe(1)

  watch()
  monitor.close()
  await pass(60_000)
  expect(probes).toBe(2)
})
