import { setTimeout as sleep } from "node:timers/promises"
import { Redis } from "ioredis"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import type { Log } from "@/lib/server/platform/log"
import { TestRedis } from "@/test/redis"
import { admitted, allKnown, expectTwentyEachSecond, inOneSecond, livingIn, type Process } from "@/test/redis-bursts"
import { openRedisWindows } from "./redis-windows"
import type { RateWindows } from "./windows"

const DEGRADED = "redis.unreachable"
const BACK = "redis.reachable"
/** For three times `aliveEveryMs` after Redis returned, each process also enforces its share of a limit. */
const RETURN_MS = 150

const started: { close(): Promise<void> }[] = []
// The clock of local windows does not advance, so that a burst on a slow machine is within one second of it.
beforeEach(() => vi.spyOn(Date, "now").mockReturnValue(Date.now()))
afterEach(async () => {
  vi.restoreAllMocks()
  for (const { close } of started.splice(0)) await close()
})

async function startRedis(): Promise<TestRedis> {
  const redis = await TestRedis.start()
  started.push({ close: () => redis.kill() })
  return redis
}

type Options = { timeoutMs?: number; aliveEveryMs?: number; isApi?: boolean; processes?: number }

async function open(url: string, options: Options = {}): Promise<Process> {
  const events: string[] = []
  const record: Log["info"] = (_message, fields) => void events.push(fields?.event ?? "")
  const log: Log = { info: record, warn: record, error: record }
  const windows = await openRedisWindows({ url, log, timeoutMs: 20_000, aliveEveryMs: 50, ...options })
  started.unshift({ close: () => windows.close() })
  return { windows, events }
}

/** Opens windows that reach Redis within their first second, which a busy machine may take several attempts for. */
async function openReached(url: string, options?: Options): Promise<Process> {
  for (;;) {
    const opened = await open(url, options)
    if (opened.events.length === 0) return opened
    await opened.windows.close()
  }
}

const LIMITS = { key: 1_000, account: 1_000 }
const actor = () => ({ accountId: newId(), keyId: newId() })

describe("two processes on one Redis", () => {
  it("admit together exactly the limit in each Redis second of a burst", async () => {
    const redis = await startRedis()
    const processes = [await openReached(redis.url), await openReached(redis.url)]
    await expectTwentyEachSecond(processes)
  })

  it("send Redis one command for each request", async () => {
    const redis = await startRedis()
    const { windows } = await openReached(redis.url, { aliveEveryMs: 60_000 })
    const client = new Redis(redis.url)
    const calls = async () => {
      const stats = await client.info("commandstats")
      return ["evalsha", "eval"].map((name) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0))
    }
    await windows.count(actor(), LIMITS)
    const [before = 0, texts] = await calls()
    for (let i = 0; i < 20; i++) await windows.count(actor(), LIMITS)
    expect(await calls()).toEqual([before + 20, texts])
    client.disconnect()
  })
})

describe("while Redis is unreachable", () => {
  it("each of two processes admits half and logs it once, and both share again when it is reachable", async () => {
    const redis = await startRedis()
    const [one, two] = [await openReached(redis.url), await openReached(redis.url)]
    await allKnown(redis, 2)
    expect([one.windows.redis, two.windows.redis]).toEqual(["ok", "ok"])

    await redis.kill()
    await expect.poll(() => [one.windows.redis, two.windows.redis]).toEqual(["degraded", "degraded"])
    expect(await admitted([one], 60, 21)).toBe(10)
    expect(await admitted([two], 60, 21)).toBe(10)
    expect(await admitted([one], 60, 1)).toBe(1)
    expect(await addressesAdmitted(one.windows, 5)).toBe(2)
    expect([one.events, two.events]).toEqual([[DEGRADED], [DEGRADED]])

    await redis.resume()
    await expect.poll(() => [one.windows.redis, two.windows.redis]).toEqual(["ok", "ok"])
    expect([one.events, two.events]).toEqual([
      [DEGRADED, BACK],
      [DEGRADED, BACK],
    ])
    await sleep(RETURN_MS)
    expect(await inOneSecond(() => admitted([one, two], 60, 21))).toBe(21)
  })

  it("a Redis that lost its data in a restart does not make each process assume that it is alone", async () => {
    const redis = await startRedis()
    const [one, other] = [await openReached(redis.url), await openReached(redis.url)]
    await allKnown(redis, 2)
    await other.windows.close()
    await redis.kill()
    await redis.resume()
    await expect.poll(() => one.windows.redis).toBe("ok")
    expect(await livingIn(redis)).toBe(1)
    await redis.kill()
    await expect.poll(() => one.windows.redis).toBe("degraded")
    expect(await admitted([one], 60, 20)).toBe(10)
  })

  it("from the start, one process enforces the whole limit", async () => {
    const redis = await startRedis()
    await redis.kill()
    const alone = await open(redis.url)
    expect([alone.windows.redis, alone.events]).toEqual(["degraded", [DEGRADED]])
    expect(await admitted([alone], 60, 20)).toBe(20)
  })

  it("from the start and after Redis returned, each of four workers enforces a quarter", async () => {
    const redis = await startRedis()
    await redis.kill()
    const { windows, events } = await open(redis.url, { processes: 4 })
    expect(await admitted([{ windows, events }], 60, 20)).toBe(5)
    await redis.resume()
    await expect.poll(() => windows.redis).toBe("ok")
    await redis.kill()
    await expect.poll(() => windows.redis).toBe("degraded")
    expect(await admitted([{ windows, events }], 60, 20)).toBe(5)
  })

  it("a Redis that hangs delays a request by at most 50 ms, and after three requests not at all", async () => {
    const redis = await startRedis()
    const { windows, events } = await openReached(redis.url, { timeoutMs: 50, aliveEveryMs: 60_000 })
    /** The shortest of three requests, because a busy machine delays some. */
    const took = async () => {
      const each: number[] = []
      for (let i = 0; i < 3; i++) {
        const start = performance.now()
        await windows.count(actor(), LIMITS)
        each.push(performance.now() - start)
      }
      return Math.min(...each)
    }
    redis.hang(true)
    const first = await took()
    expect(first).toBeGreaterThan(40)
    expect(first).toBeLessThan(500)
    expect(windows.redis).toBe("degraded")
    expect(await took()).toBeLessThan(20)
    redis.hang(false)
    await expect.poll(() => windows.redis).toBe("ok")
    expect(events).toEqual([DEGRADED, BACK])
  })
})

describe("after a pause of Redis", () => {
  it("two processes admit no more than the limit in any second, although they return at different times", async () => {
    const redis = await startRedis()
    vi.restoreAllMocks()
    // On a busy machine 100 concurrent commands can take longer than the 50 ms of production.
    const options = { timeoutMs: 1_000, aliveEveryMs: 400 }
    const processes = [await openReached(redis.url, options), await openReached(redis.url, options)]
    const states = () => processes.map(({ windows }) => windows.redis)
    await allKnown(redis, 2)
    redis.hang(true)
    await expect.poll(() => admitted(processes, 2, 20).then(states)).toEqual(["degraded", "degraded"])
    await expectTwentyEachSecond(
      processes,
      () => redis.hang(false),
      () => states().every((state) => state === "ok"),
    )
  })

  it("a process that admitted the whole limit before the pause admits nothing more in that second", async () => {
    const redis = await startRedis()
    const alone = await openReached(redis.url, { timeoutMs: 50 })
    const accountId = await inOneSecond(async () => {
      const id = newId()
      return (await admitted([alone], 60, 20, id)) === 20 ? id : null
    })
    expect(accountId).not.toBeNull()
    redis.hang(true)
    expect(await admitted([alone], 60, 20, accountId ?? "")).toBe(0)
    redis.hang(false)
  })
})

describe("a process", () => {
  it("keeps sharing its limits after one moment in which no command got a reply in time", async () => {
    const redis = await startRedis()
    const { windows, events } = await openReached(redis.url, { timeoutMs: 200, aliveEveryMs: 60_000 })
    redis.hang(true)
    await Promise.all(Array.from({ length: 20 }, () => windows.count(actor(), LIMITS)))
    redis.hang(false)
    await expect.poll(async () => (await windows.count(actor(), LIMITS)).limit).toBe(1_000)
    expect([windows.redis, events]).toEqual(["ok", []])
  })

  it("without the API takes no share from those with it", async () => {
    const redis = await startRedis()
    const api = await openReached(redis.url)
    const console = await openReached(redis.url, { isApi: false })
    await allKnown(redis, 1)
    expect([await livingIn(redis), console.windows.redis]).toEqual([1, "ok"])
    await redis.kill()
    await expect.poll(() => api.windows.redis).toBe("degraded")
    expect(await admitted([api], 60, 20)).toBe(20)
  })
})

async function addressesAdmitted(windows: RateWindows, perSecond: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: 20 }, () => windows.countAddress("192.0.2.1", perSecond)))
  return answers.filter(Boolean).length
}
