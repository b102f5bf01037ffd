import { setTimeout as sleep } from "node:timers/promises"
import { Redis } from "ioredis"
import { afterEach, describe, expect, it, vi } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import type { Log } from "@/lib/server/platform/log"
import { TestRedis } from "@/test/redis"
import { openRedisWindows } from "./redis-windows"
import type { RateWindows } from "./windows"

const DEGRADED = "redis.unreachable"
const BACK = "redis.reachable"
/** For three times `aliveEveryMs` after Redis returned, each process also enforces its share of a limit. */
const RETURN_MS = 150

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const { close } of started.splice(0)) await close()
})

async function startRedis(): Promise<TestRedis> {
  const redis = await TestRedis.start()
  started.push({ close: () => redis.kill() })
  return redis
}

/** One process's windows, and the events in its log. */
interface Process {
  windows: RateWindows
  events: string[]
}

async function open(
  url: string,
  options: { timeoutMs?: number; aliveEveryMs?: number; isApi?: boolean; processes?: number } = {},
): Promise<Process> {
  const events: string[] = []
  const record: Log["info"] = (_message, fields) => void events.push(fields?.event ?? "")
  const log: Log = { info: record, warn: record, error: record }
  const windows = await openRedisWindows({ url, log, timeoutMs: 2_000, aliveEveryMs: 50, ...options })
  started.unshift({ close: () => windows.close() })
  return { windows, events }
}

const LIMITS = { key: 1_000, account: 1_000 }
const actor = () => ({ accountId: newId(), keyId: newId() })

/** Counts how many of `calls` concurrent calls are admitted, spread over these processes and seven keys of one account. */
async function admitted(processes: Process[], calls: number, account: number, accountId = newId()): Promise<number> {
  const states = await Promise.all(
    Array.from({ length: calls }, async (_, i) =>
      processes[i % processes.length]?.windows.count({ accountId, keyId: `${i % 7}` }, { key: 1_000, account }),
    ),
  )
  return states.filter((state) => state && !state.exceeded).length
}

describe("two processes on one Redis", () => {
  it("admit together exactly the limit in each Redis second of a burst", async () => {
    const redis = await startRedis()
    const processes = [await open(redis.url), await open(redis.url)]
    const accountId = newId()
    let total = 0
    await redis.nextSecond()
    for (const start = performance.now(); performance.now() < start + 2_500; )
      total += await admitted(processes, 100, 20, accountId)
    expect(total).toBe(3 * 20)
  })

  it("send Redis one command for each request", async () => {
    const redis = await startRedis()
    const { windows } = await open(redis.url, { aliveEveryMs: 60_000 })
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
    const [one, two] = [await open(redis.url), await open(redis.url)]
    await bothKnown(redis)
    expect([one.windows.redis, two.windows.redis]).toEqual(["ok", "ok"])

    await redis.kill()
    await vi.waitFor(() => expect([one.windows.redis, two.windows.redis]).toEqual(["degraded", "degraded"]))
    await startOfSecond()
    expect(await admitted([one], 60, 21)).toBe(10)
    expect(await admitted([two], 60, 21)).toBe(10)
    expect(await admitted([one], 60, 1)).toBe(1)
    expect(await addressesAdmitted(one.windows, 5)).toBe(2)
    expect([one.events, two.events]).toEqual([[DEGRADED], [DEGRADED]])

    await redis.resume()
    await vi.waitFor(() => expect([one.windows.redis, two.windows.redis]).toEqual(["ok", "ok"]), 5_000)
    expect([one.events, two.events]).toEqual([
      [DEGRADED, BACK],
      [DEGRADED, BACK],
    ])
    await sleep(RETURN_MS)
    await redis.nextSecond()
    expect(await admitted([one, two], 60, 21)).toBe(21)
  })

  it("a Redis that lost its data in a restart does not make each process assume that it is alone", async () => {
    const redis = await startRedis()
    const [one, other] = [await open(redis.url), await open(redis.url)]
    await bothKnown(redis)
    await other.windows.close()
    await redis.kill()
    await redis.resume()
    await vi.waitFor(() => expect(one.windows.redis).toBe("ok"), 5_000)
    expect(await livingIn(redis)).toBe(1)
    await redis.kill()
    await vi.waitFor(() => expect(one.windows.redis).toBe("degraded"))
    await startOfSecond()
    expect(await admitted([one], 60, 20)).toBe(10)
  })

  it("from the start, one process enforces the whole limit", async () => {
    const redis = await startRedis()
    await redis.kill()
    const alone = await open(redis.url)
    expect([alone.windows.redis, alone.events]).toEqual(["degraded", [DEGRADED]])
    await startOfSecond()
    expect(await admitted([alone], 60, 20)).toBe(20)
  })

  it("from the start and after Redis returned, each of four workers enforces a quarter", async () => {
    const redis = await startRedis()
    await redis.kill()
    const { windows, events } = await open(redis.url, { processes: 4 })
    await startOfSecond()
    expect(await admitted([{ windows, events }], 60, 20)).toBe(5)
    await redis.resume()
    await vi.waitFor(() => expect(windows.redis).toBe("ok"), 5_000)
    await redis.kill()
    await vi.waitFor(() => expect(windows.redis).toBe("degraded"))
    await startOfSecond()
    expect(await admitted([{ windows, events }], 60, 20)).toBe(5)
  })

  it("a Redis that hangs delays a request by at most 50 ms, and after three requests not at all", async () => {
    const redis = await startRedis()
    const { windows, events } = await open(redis.url, { timeoutMs: 50 })
    const took = async () => {
      const start = performance.now()
      await windows.count(actor(), LIMITS)
      return performance.now() - start
    }
    redis.hang(true)
    const first = await took()
    expect(first).toBeGreaterThan(40)
    expect(first).toBeLessThan(500)
    await vi.waitFor(() => expect(windows.redis).toBe("degraded"))
    expect(await took()).toBeLessThan(20)
    redis.hang(false)
    await vi.waitFor(() => expect(windows.redis).toBe("ok"), 5_000)
    expect(events).toEqual([DEGRADED, BACK])
  })
})

describe("after a pause of Redis", () => {
  it("two processes admit no more than the limit in any second, although they return at different times", async () => {
    const redis = await startRedis()
    // On a busy machine 100 concurrent commands can take longer than the 50 ms of production.
    const options = { timeoutMs: 200, aliveEveryMs: 400 }
    const processes = [await open(redis.url, options), await open(redis.url, options)]
    await bothKnown(redis)
    await sleep(500)
    redis.hang(true)
    await vi.waitFor(async () => {
      await admitted(processes, 2, 20)
      expect(processes.map(({ windows }) => windows.redis)).toEqual(["degraded", "degraded"])
    }, 10_000)
    const accountId = newId()
    await startOfSecond()
    const start = performance.now()
    let total = await admitted(processes, 100, 20, accountId)
    expect(total).toBe(20)
    redis.hang(false)
    for (; performance.now() < start + 2_500; await sleep(1)) total += await admitted(processes, 100, 20, accountId)
    expect(processes.map(({ windows }) => windows.redis)).toEqual(["ok", "ok"])
    expect(total).toBe(3 * 20)
  })

  it("a process that admitted the whole limit before the pause admits nothing more in that second", async () => {
    const redis = await startRedis()
    const alone = await open(redis.url, { timeoutMs: 50 })
    const accountId = newId()
    await redis.nextSecond()
    expect(await admitted([alone], 60, 20, accountId)).toBe(20)
    redis.hang(true)
    expect(await admitted([alone], 60, 20, accountId)).toBe(0)
    redis.hang(false)
  })
})

describe("a process", () => {
  it("keeps sharing its limits after one moment in which no command got a reply in time", async () => {
    const redis = await startRedis()
    const { windows, events } = await open(redis.url, { timeoutMs: 200, aliveEveryMs: 60_000 })
    redis.hang(true)
    await Promise.all(Array.from({ length: 20 }, () => windows.count(actor(), LIMITS)))
    redis.hang(false)
    await vi.waitFor(async () => expect((await windows.count(actor(), LIMITS)).limit).toBe(1_000))
    expect([windows.redis, events]).toEqual(["ok", []])
  })

  it("without the API takes no share from those with it", async () => {
    const redis = await startRedis()
    const api = await open(redis.url)
    const console = await open(redis.url, { isApi: false })
    await sleep(150)
    expect([await livingIn(redis), console.windows.redis]).toEqual([1, "ok"])
    await redis.kill()
    await vi.waitFor(() => expect(api.windows.redis).toBe("degraded"))
    await startOfSecond()
    expect(await admitted([api], 60, 20)).toBe(20)
  })
})

/** Resolves when two processes have recorded that they are alive and each knows of the other. */
async function bothKnown(redis: TestRedis): Promise<void> {
  await vi.waitFor(async () => expect(await livingIn(redis)).toBe(2))
  await sleep(150)
}

async function livingIn(redis: TestRedis): Promise<number> {
  const client = new Redis(redis.url)
  const living = await client.zcard("svc:instances")
  client.disconnect()
  return living
}

async function addressesAdmitted(windows: RateWindows, perSecond: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: 20 }, () => windows.countAddress("192.0.2.1", perSecond)))
  return answers.filter(Boolean).length
}

/** Resolves at the start of a second of this machine's clock, which local windows use. */
const startOfSecond = () => sleep(1_000 - (Date.now() % 1_000) + 5)
