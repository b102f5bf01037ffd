import { expect, vi } from "vitest"

/** Limits that last longer than any test. A busy machine may take seconds to reach what they limit. */
export const ANSWER_MS = 1_000_000
export const TOTAL_MS = 3_000_000
export const DEADLINES = { answerMs: ANSWER_MS, totalMs: TOTAL_MS }

/** The time limits of unfinished requests. */
const limits = new Map<unknown, { work: () => void; ms: number }>()

/** From now on limits end when the test says so. `vi.restoreAllMocks` ends that. */
export function holdLimits(): void {
  limits.clear()
  const { setTimeout: start, clearTimeout: stop } = globalThis
  const started = (work: () => void, ms = 0, ...rest: unknown[]) => {
    const timer = start(work, ms, ...rest)
    if (ms > ANSWER_MS / 2) limits.set(timer, { work, ms })
    return timer
  }
  vi.spyOn(globalThis, "setTimeout").mockImplementation(started as typeof setTimeout)
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    limits.delete(timer)
    stop(timer)
  })
}

/** Ends limits as their timers would, once `count` of them run. A request that had to wait has a limit shorter by that time. */
export const runOut = (limitMs: number, count = 1): Promise<void> =>
  expect
    .poll(() => {
      const ended = [...limits.values()].filter(({ ms }) => ms <= limitMs && ms > limitMs / 2)
      if (ended.length >= count) for (const { work } of ended) work()
      return ended.length
    })
    .toBeGreaterThanOrEqual(count)
