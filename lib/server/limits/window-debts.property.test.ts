import { setTimeout as sleep } from "node:timers/promises"
import fc from "fast-check"
import { Redis } from "ioredis"
import { describe, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { createLog } from "@/lib/server/platform/log"
import { TestRedis } from "@/test/redis"
import { testScale } from "@/test/scale"
import { countAll, OwnedWindows } from "./owned-windows"
import { openRedisWindows } from "./redis-windows"
import { memoryWindows, type RateWindows, type WindowState } from "./windows"

const LIMITS = { key: 3, account: 5 }

/** A request of one of two keys, which are of one account. `states` above 1: a batch. */
interface Step {
  key: number
  states: number
  waitMs: number
}

const history = (maxWaitMs: number) =>
  fc.array(fc.record({ key: fc.nat(1), states: fc.constantFrom(1, 1, 1, 2, 4, 9, 20), waitMs: fc.nat(maxWaitMs) }), {
    minLength: 5,
    maxLength: 25,
  })

/** By clock second: how many requests and states one limit has counted. */
type Seconds = Record<number, number>
type Model = Record<"account" | 0 | 1, Seconds>

const usedIn = (seconds: Seconds, second: number) => seconds[second] ?? 0

function add(seconds: Seconds, second: number): void {
  seconds[second] = usedIn(seconds, second) + 1
}

/** Gives each further state of a batch a place in the first second that has one. */
function addMore(seconds: Seconds, from: number, limit: number, more: number): void {
  for (let i = 0, second = from; i < more; ) {
    if (usedIn(seconds, second) >= limit) second++
    else {
      add(seconds, second)
      i++
    }
  }
}

function nextWithRoom(seconds: Seconds, from: number, limit: number): number {
  let second = from + 1
  while (usedIn(seconds, second) >= limit) second++
  return second
}

/** What any windows must respond: the rule in a few lines. Changes `model`. */
function expected(model: Model, { key, states }: Step, second: number): WindowState[] {
  const [own, account] = [model[key === 0 ? 0 : 1], model.account]
  const state = (): WindowState => {
    const [byKey, byAccount] = [usedIn(own, second), usedIn(account, second)]
    const [keyLeft, accountLeft] = [Math.max(0, LIMITS.key - byKey), Math.max(0, LIMITS.account - byAccount)]
    const isKeys = keyLeft <= accountLeft
    const open = Math.max(nextWithRoom(own, second, LIMITS.key), nextWithRoom(account, second, LIMITS.account))
    return {
      limit: isKeys ? LIMITS.key : LIMITS.account,
      used: isKeys ? byKey : byAccount,
      remaining: Math.min(keyLeft, accountLeft),
      resetSeconds: open - second,
      exceeded: byKey > LIMITS.key || byAccount > LIMITS.account,
    }
  }
  add(own, second)
  if (usedIn(own, second) <= LIMITS.key) add(account, second)
  const first = state()
  if (first.exceeded || states === 1) return [first]
  addMore(own, second, LIMITS.key, states - 1)
  addMore(account, second, LIMITS.account, states - 1)
  return [first, { ...state(), exceeded: false }]
}

/** Sends a step to real windows. Returns what they responded, without the time of a retry. */
async function respond(windows: RateWindows, accountId: string, { key, states }: Step): Promise<WindowState[]> {
  const actor = { accountId, keyId: `${accountId} ${key}` }
  const { retryAfterMs, ...first } = await windows.count(actor, LIMITS)
  expect(retryAfterMs !== undefined).toBe(first.exceeded)
  if (retryAfterMs !== undefined) expect(Math.ceil(retryAfterMs / 1_000)).toBeGreaterThanOrEqual(first.resetSeconds)
  return first.exceeded || states === 1 ? [first] : [first, await windows.owe(actor, LIMITS, states - 1)]
}

const newModel = (): Model => ({ account: {}, 0: {}, 1: {} })

function ownedBy(owner: RateWindows): RateWindows {
  const windows = new OwnedWindows(
    (counts) => void countAll(owner, structuredClone(counts)).then((results) => windows.receive(results)),
  )
  return windows
}

describe("a batch is admitted while its first state fits, and later windows stay closed until its others are paid off", () => {
  it.each([
    ["in memory", (memory: RateWindows) => memory],
    ["in windows that another process owns", ownedBy],
  ])("%s", async (_where, over) => {
    await fc.assert(
      fc.asyncProperty(history(2_500), async (steps) => {
        let now = 41_000
        const [windows, model, accountId] = [over(memoryWindows(() => now)), newModel(), newId()]
        for (const step of steps) {
          now += step.waitMs
          const responded = await respond(windows, accountId, step)
          expect(responded).toEqual(expected(model, step, Math.floor(now / 1_000)))
        }
      }),
      { numRuns: 100 * testScale },
    )
  })

  it("in Redis", async () => {
    const redis = await TestRedis.start()
    const clock = new Redis(redis.url)
    const windows = await openRedisWindows({ url: redis.url, log: createLog("silent"), timeoutMs: 20_000 })
    const second = async () => Number((await clock.time())[0])
    let checked = 0
    const play = async (steps: Step[]) => {
      const [model, accountId] = [newModel(), newId()]
      for (const step of steps) {
        await sleep(step.waitMs)
        const began = await second()
        const responded = await respond(windows, accountId, step)
        // The model does not know in which of two seconds a slow step was counted.
        if ((await second()) !== began) return
        expect(responded).toEqual(expected(model, step, began))
        checked++
      }
    }
    await Promise.all(fc.sample(history(350), 40 * testScale).map(play))
    expect(checked).toBeGreaterThan(50)
    await windows.close()
    clock.disconnect()
    await redis.kill()
  }, 60_000)
})
