import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { askForIntervals } from "./ask-for-intervals"
import type { IntervalMessage, IntervalRequest } from "./interval-worker"

const REQUEST: IntervalRequest = { scale: "binary", data: null, seed: 1 }
const FOUND = { intervals: { accuracy: { low: 0.8, high: 0.9 } }, band: [], verdict: null }

class FakeWorker {
  onerror: (() => void) | null = null
  onmessage: ((event: { data: IntervalMessage }) => void) | null = null
  asked: unknown[] = []
  isTerminated = false
  constructor() {
    worker = this
  }
  postMessage(request: unknown): void {
    this.asked.push(request)
  }
  terminate(): void {
    this.isTerminated = true
  }
  say(data: IntervalMessage): void {
    this.onmessage?.({ data })
  }
}

let worker: FakeWorker
const seen: unknown[] = []
const ask = () =>
  askForIntervals(REQUEST, { onFound: (found) => seen.push(found), onFailed: () => seen.push("failed") })

beforeEach(() => {
  seen.length = 0
  vi.stubGlobal("Worker", FakeWorker)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test("a worker that has loaded is asked once, and ends with its result", () => {
  ask()
  worker.say({ type: "ready" })
  expect(worker.asked).toEqual([REQUEST])
  // Computing may take longer than loading may.
  vi.advanceTimersByTime(120_000)
  worker.say({ type: "intervals", ...FOUND })
  expect(seen).toEqual([FOUND])
  expect(worker.isTerminated).toBe(true)
})

test("a worker that fails is reported, also one that fails while it computes", () => {
  ask()
  worker.onerror?.()
  expect([seen, worker.isTerminated]).toEqual([["failed"], true])
  ask()
  worker.say({ type: "ready" })
  worker.onerror?.()
  vi.advanceTimersByTime(120_000)
  expect([seen, worker.isTerminated]).toEqual([["failed", "failed"], true])
})

test("a worker that does not load for 30 seconds is reported, and its late result still counts", () => {
  ask()
  vi.advanceTimersByTime(29_999)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(1)
  expect([seen, worker.isTerminated]).toEqual([["failed"], false])
  worker.say({ type: "ready" })
  worker.say({ type: "intervals", ...FOUND })
  expect(seen).toEqual(["failed", FOUND])
})

test("a worker that is not needed any more reports nothing", () => {
  ask()()
  vi.advanceTimersByTime(120_000)
  expect([seen, worker.isTerminated]).toEqual([[], true])
})
