import { describe, expect, it } from "vitest"
import { memoryWindows, type PerSecond } from "./windows"

/** The official SDK sends a request up to three times, and waits for `retry-after-ms`. Its calls end after 30 s. */
const TRIES = 3
const BUDGET_MS = 30_000

interface Call {
  at: number
  tries: number
  startedAt: number
  keyId: string
}

/** Plays the calls of SDK clients against windows in simulated time. Returns how many are lost, and when the last one succeeded. */
async function play(starts: Pick<Call, "at" | "keyId">[], perSecond: PerSecond, wayMs: (n: number) => number) {
  let now = 0
  const windows = memoryWindows(() => now)
  const waiting: Call[] = starts.map((call) => ({ ...call, tries: 0, startedAt: call.at }))
  const result = { lost: 0, lastAt: 0 }
  for (let n = 0; waiting.length > 0; n++) {
    waiting.sort((a, b) => a.at - b.at)
    const call = waiting.shift()
    if (!call) break
    now = call.at
    const { exceeded, retryAfterMs = 0 } = await windows.count({ accountId: "a", keyId: call.keyId }, perSecond)
    const again = { ...call, tries: call.tries + 1, at: now + retryAfterMs + wayMs(n) }
    if (!exceeded) result.lastAt = now
    else if (again.tries < TRIES && again.at - call.startedAt < BUDGET_MS) waiting.push(again)
    else result.lost++
  }
  return result
}

const burst = (count: number, at: number, keyId = "k") => Array.from({ length: count }, () => ({ at, keyId }))
const LIMITS = { key: 10, account: 20 }

describe("60 parallel calls of the official SDK at 10 requests per second", () => {
  it.each([0, 400, 990])("lose none when they begin %i ms into a second", async (at) => {
    const { lost, lastAt } = await play(burst(60, at), LIMITS, (n) => n % 90)
    expect([lost, lastAt < 7_000]).toEqual([0, true])
  })

  it("lose none when their way takes up to 200 ms", async () => {
    expect((await play(burst(60, 100), LIMITS, (n) => (n * 37) % 200)).lost).toBe(0)
  })

  it("lose none with two keys of one account", async () => {
    const calls = [...burst(60, 100, "k"), ...burst(60, 100, "l")]
    expect((await play(calls, LIMITS, (n) => n % 90)).lost).toBe(0)
  })

  it("lose none when 60 more begin while they wait", async () => {
    expect((await play([...burst(60, 100), ...burst(60, 3_500)], LIMITS, (n) => n % 90)).lost).toBe(0)
  })
})
