import { setTimeout as sleep } from "node:timers/promises"
import { Redis } from "ioredis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { createLog } from "@/lib/server/platform/log"
import { TestRedis } from "@/test/redis"
import { countAll, OwnedWindows } from "./owned-windows"
import { openRedisWindows } from "./redis-windows"
import { memoryWindows, type RateWindows, windowState } from "./windows"

const perSecond = { key: 2, account: 3 }

/** A store at the start of a clock second, and a way to reach the next one. */
interface Clocked {
  windows: RateWindows
  nextSecond(): Promise<void>
}

/** The guarantees of every store. Each case has its own account. */
const CASES: [string, (store: Clocked, account: (keyId: string) => Promise<boolean>) => Promise<void>][] = [
  [
    "refuses a key above its own limit within one clock second and admits it in the next",
    async ({ nextSecond }, exceeded) => {
      expect([await exceeded("k"), await exceeded("k"), await exceeded("k")]).toEqual([false, false, true])
      await nextSecond()
      expect(await exceeded("k")).toBe(false)
    },
  ],
  [
    "shares the account's limit among its keys",
    async (_store, exceeded) => {
      for (const key of ["k1", "k2", "k3"]) expect(await exceeded(key)).toBe(false)
      expect(await exceeded("k4")).toBe(true)
    },
  ],
  [
    "does not count a key's own refusals against the account",
    async (_store, exceeded) => {
      for (let i = 0; i < 10; i++) await exceeded("greedy")
      expect(await exceeded("modest")).toBe(false)
    },
  ],
  [
    "counts a request that the account's limit refused against its key",
    async ({ windows }) => {
      const accountId = newId()
      const [one, two] = [newId(), newId()]
      for (let i = 0; i < 3; i++) await windows.count({ accountId, keyId: one }, { key: 9, account: 3 })
      await windows.count({ accountId, keyId: two }, { key: 2, account: 3 })
      expect(await windows.count({ accountId, keyId: two }, { key: 2, account: 3 })).toMatchObject({ exceeded: true })
      const third = await windows.count({ accountId, keyId: two }, { key: 2, account: 100 })
      const waits = { retryAfterMs: expect.any(Number) }
      expect(third).toEqual({ limit: 2, used: 3, remaining: 0, resetSeconds: 1, exceeded: true, ...waits })
    },
  ],
  [
    "returns limit, use and remainder of the tighter window",
    async ({ windows }) => {
      const actor = { accountId: newId(), keyId: newId() }
      const states = [await windows.count(actor, perSecond), await windows.count(actor, perSecond)]
      expect(states).toEqual([
        { limit: 2, used: 1, remaining: 1, resetSeconds: 1, exceeded: false },
        { limit: 2, used: 2, remaining: 0, resetSeconds: 1, exceeded: false },
      ])
    },
  ],
  [
    "admits each address up to its own limit",
    async ({ windows, nextSecond }) => {
      const [one, other] = [newId(), newId()]
      const admitted = []
      for (let i = 0; i < 7; i++) admitted.push(await windows.countAddress(one, 5))
      expect(admitted).toEqual([true, true, true, true, true, false, false])
      expect(await windows.countAddress(other, 5)).toBe(true)
      await nextSecond()
      expect(await windows.countAddress(one, 5)).toBe(true)
    },
  ],
  [
    "keeps accounts, keys and addresses of the same name apart",
    async ({ windows }) => {
      const name = newId()
      const once = { key: 1, account: 1 }
      expect((await windows.count({ accountId: name, keyId: name }, once)).exceeded).toBe(false)
      expect(await windows.countAddress(name, 1)).toBe(true)
    },
  ],
]

async function run(store: Clocked, check: (typeof CASES)[number][1]): Promise<void> {
  const accountId = newId()
  const keys: Record<string, string> = {}
  await check(store, async (name) => {
    keys[name] ??= newId()
    return (await store.windows.count({ accountId, keyId: keys[name] }, perSecond)).exceeded
  })
}

/** Runs a check on windows over memory, whose clock advances when the check says so. */
function runOverMemory(check: (typeof CASES)[number][1], over = (memory: RateWindows) => memory): Promise<void> {
  let now = 41_000
  const nextSecond = async () => {
    now += 1_000
  }
  return run({ windows: over(memoryWindows(() => now)), nextSecond }, check)
}

describe("windows in memory", () => {
  it.each(CASES)("%s", (_name, check) => runOverMemory(check))

  it("end with the clock second, not a second after their first request", async () => {
    let now = 1_999
    const windows = memoryWindows(() => now)
    expect(await windows.countAddress("a", 1)).toBe(true)
    expect(await windows.countAddress("a", 1)).toBe(false)
    now = 2_000
    expect(await windows.countAddress("a", 1)).toBe(true)
  })
})

describe("windows that another process owns", () => {
  /** Returns windows that ask others over a channel, and what was sent. */
  function own(owner: RateWindows) {
    const sent: number[] = []
    const windows = new OwnedWindows((counts) => {
      sent.push(counts.length)
      void countAll(owner, structuredClone(counts)).then((results) => windows.receive(results))
    })
    return { windows, sent }
  }

  it.each(CASES)("%s", (_name, check) => runOverMemory(check, (memory) => own(memory).windows))

  it("count the requests of several processes together, and send those of one tick at once", async () => {
    const owner = memoryWindows(() => 41_000)
    const [one, two] = [own(owner), own(owner)]
    const actor = { accountId: "a", keyId: "k" }
    const asked = [one, two, one, two].map(({ windows }) => windows.count(actor, { key: 3, account: 9 }))
    const states = await Promise.all(asked)
    expect(states.map(({ remaining }) => remaining).sort()).toEqual([0, 0, 1, 2])
    expect(states.filter(({ exceeded }) => exceeded)).toHaveLength(1)
    expect([one.sent, two.sent]).toEqual([[2], [2]])
  })
})

describe("windows in Redis", () => {
  let redis: TestRedis
  let clock: Redis
  let windows: RateWindows
  beforeAll(async () => {
    redis = await TestRedis.start()
    clock = new Redis(redis.url)
    windows = await openRedisWindows({ url: redis.url, log: createLog("silent"), timeoutMs: 5_000 })
    expect(windows.redis).toBe("ok")
  })
  afterAll(async () => {
    await windows.close()
    clock.disconnect()
    await redis.kill()
  })

  const second = async () => Number((await clock.time())[0])

  /** Runs a check, and repeats it if a second of Redis's clock ended too early for what the check does within one. */
  async function runWithinSeconds(check: (typeof CASES)[number][1]): Promise<void> {
    for (let isLate = true; isLate; ) {
      await redis.nextSecond()
      let started = await second()
      isLate = false
      const endSecond = async () => {
        isLate ||= (await second()) !== started
      }
      const nextSecond = async () => {
        await endSecond()
        await redis.nextSecond()
        started = await second()
      }
      const failure = await run({ windows, nextSecond }, check).catch((error: Error) => error)
      await endSecond()
      if (failure && !isLate) throw failure
    }
  }

  // Concurrently, so that all cases wait for the same seconds.
  it.concurrent.each(CASES)("%s", (_name, check) => runWithinSeconds(check))

  it("end with the clock second, not a second after their first request", () =>
    runWithinSeconds(async ({ nextSecond }) => {
      const address = newId()
      await sleep(700)
      expect(await windows.countAddress(address, 1)).toBe(true)
      expect(await windows.countAddress(address, 1)).toBe(false)
      await nextSecond()
      expect(await windows.countAddress(address, 1)).toBe(true)
    }))
})

it("the tighter window is the one with fewer requests left, and the key's on a tie", () => {
  expect(windowState(1, 3, { key: 10, account: 5 })).toMatchObject({ limit: 5, used: 3, remaining: 2 })
  expect(windowState(1, 1, { key: 4, account: 4 })).toMatchObject({ limit: 4, used: 1, remaining: 3 })
  expect(windowState(12, 12, { key: 10, account: 20 })).toMatchObject({
    limit: 10,
    used: 12,
    remaining: 0,
    resetSeconds: 1,
    exceeded: true,
  })
})
