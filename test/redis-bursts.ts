import { setTimeout as sleep } from "node:timers/promises"
import { Redis } from "ioredis"
import { expect } from "vitest"
import type { RateWindows } from "@/lib/server/limits/windows"
import { newId } from "@/lib/server/platform/ids"
import type { TestRedis } from "./redis"

/** One process's windows, and the events in its log. */
export interface Process {
  windows: RateWindows
  events: string[]
}

/** Counts how many of `calls` concurrent calls are admitted, spread over these processes and seven keys of one account. */
export async function admitted(
  processes: Process[],
  calls: number,
  account: number,
  accountId = newId(),
): Promise<number> {
  const states = await Promise.all(
    Array.from({ length: calls }, async (_, i) =>
      processes[i % processes.length]?.windows.count({ accountId, keyId: `${i % 7}` }, { key: 1_000, account }),
    ),
  )
  return states.filter((state) => state && !state.exceeded).length
}

/** The real clock, also while a test replaces `Date.now`. */
const now = Date.now
/** The current second of Redis's clock, which is the clock of this machine. */
const secondNow = () => Math.floor(now() / 1_000)

/** Repeats `work` until it ran within one second, and returns its result. */
export async function inOneSecond<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const second = secondNow()
    const result = await work()
    if (secondNow() === second) return result
  }
}

/**
 * Sends bursts for one account until three clock seconds had a whole burst and `isOver` returns true. Expects that in total at least 20
 * calls were admitted for each second with a whole burst, and at most 20 for each second.
 */
export async function expectTwentyEachSecond(processes: Process[], afterFirst = () => {}, isOver = () => true) {
  const accountId = newId()
  const [whole, first] = [new Set<number>(), secondNow()]
  let [total, last] = [0, first]
  for (let i = 0; whole.size < 3 || !isOver(); i++, await sleep(1)) {
    const second = secondNow()
    total += await admitted(processes, 100, 20, accountId)
    last = secondNow()
    if (last === second) whole.add(second)
    if (i === 0) afterFirst()
  }
  expect(total).toBeGreaterThanOrEqual(20 * whole.size)
  expect(total).toBeLessThanOrEqual(20 * (last - first + 1))
}

/** Resolves when this many processes have each recorded twice more that they are alive, so each knows how many there are. */
export async function allKnown(redis: TestRedis, count: number): Promise<void> {
  const client = new Redis(redis.url)
  await expect.poll(() => client.zcard("svc:instances")).toBe(count)
  for (let i = 0; i < 2; i++) {
    const [seconds, micros] = (await client.time()).map(Number)
    const oldest = async () => Number((await client.zrange("svc:instances", "0", "0", "WITHSCORES"))[1])
    await expect.poll(oldest).toBeGreaterThan((seconds ?? 0) * 1_000 + (micros ?? 0) / 1_000)
  }
  client.disconnect()
}

export async function livingIn(redis: TestRedis): Promise<number> {
  const client = new Redis(redis.url)
  const living = await client.zcard("svc:instances")
  client.disconnect()
  return living
}
