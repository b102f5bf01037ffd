import { afterEach, beforeEach, vi } from "vitest"
import type { Engine, ProbeResult } from "@/lib/server/engines/engine"
import { Monitor } from "@/lib/server/engines/monitor"
import type { MonitorTiming } from "@/lib/server/engines/monitor-timing"

const TIMING: MonitorTiming = {
  everyMs: 15_000,
  whileDownMs: 5_000,
  probeLimitMs: 10_000,
  firstLimitMs: 1_500,
  healthLimitMs: 2_000,
  silenceLimitMs: 120_000,
  idleLimitMs: 60_000,
}

export const UP: ProbeResult = { available: true, build: "b1" }
export const DOWN: ProbeResult = { available: false, reason: "It is down." }
/** A probe that never ends by itself. */
export const HANGING = new Promise<ProbeResult>(() => {})

/** An engine whose probes return what a test says, and its monitor. */
class WatchedEngine {
  found!: ProbeResult | Promise<ProbeResult>
  /** The result of a probe that times out. */
  late!: ProbeResult
  isAlive!: boolean
  probes!: number
  builds!: (string | null)[]
  changes!: boolean[]
  monitor!: Monitor

  reset(): void {
    this.found = UP
    this.late = { available: false, reason: "No answer in time." }
    this.isAlive = true
    this.probes = 0
    this.builds = []
    this.changes = []
  }

  watch(recordedBuild: string | null = null): Monitor {
    const engine = {
      probe: async (signal: AbortSignal) => {
        this.probes++
        const timedOut = new Promise<ProbeResult>((resolve) => {
          signal.addEventListener("abort", () => resolve(this.late))
        })
        return Promise.race([this.found, timedOut])
      },
      isAlive: async () => this.isAlive,
    } as unknown as Engine
    this.monitor = new Monitor(engine, { build: recordedBuild, facts: null }, TIMING, {
      seen: ({ build }) => this.builds.push(build),
      slots: () => {},
      change: ({ available }) => this.changes.push(available),
    })
    this.monitor.start()
    return this.monitor
  }
}

/** Returns an engine that is reset before each test of the file. The tests have fake timers. */
export function testMonitor(): WatchedEngine {
  const engine = new WatchedEngine()
  beforeEach(() => {
    vi.useFakeTimers()
    engine.reset()
  })
  afterEach(() => {
    engine.monitor.close()
    vi.useRealTimers()
  })
  return engine
}

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
