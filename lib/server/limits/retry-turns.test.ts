import { describe, expect, it } from "vitest"
import { RetryTurns } from "./retry-turns"

const key = (perSecond: number) => ({ id: "key:a", perSecond })

describe("the wait of a refused request", () => {
  it("leads to the next window that has room, in order of arrival", () => {
    const turns = new RetryTurns(() => 10_400)
    const windows = Array.from({ length: 5 }, () => Math.floor((10_400 + turns.next([key(2)])) / 1000))
    expect(windows).toEqual([11, 11, 12, 12, 13])
  })

  it("spreads the retries of a window over its first 700 ms", () => {
    const turns = new RetryTurns(() => 10_000)
    expect([1, 2, 3, 4, 5].map(() => turns.next([key(4)]))).toEqual([1_000, 1_175, 1_350, 1_525, 2_000])
  })

  it("has room under the account's limit too", () => {
    const turns = new RetryTurns(() => 0)
    const account = { id: "account:a", perSecond: 3 }
    const windowOf = (id: string) => Math.floor(turns.next([{ id, perSecond: 2 }, account]) / 1000)
    expect(["a", "b", "a", "b", "a"].map(windowOf)).toEqual([1, 1, 1, 2, 2])
  })

  it("starts again once the windows that were promised are past", () => {
    let now = 0
    const turns = new RetryTurns(() => now)
    for (let i = 0; i < 30; i++) turns.next([key(10)])
    now = 5_000
    expect(turns.next([key(10)])).toBe(1_000)
  })

  it("is never longer than 21 s, however many wait", () => {
    const turns = new RetryTurns(() => 0)
    const waits = Array.from({ length: 10_000 }, () => turns.next([key(1)]))
    expect(Math.max(...waits)).toBeLessThan(21_000)
    expect(Math.min(...waits)).toBe(1_000)
  })
})
