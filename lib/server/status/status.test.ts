import { beforeEach, describe, expect, it, vi } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { rotateSigningKey } from "@/lib/server/signing/signing-keys"
import { DAY_MS } from "@/lib/shared/time"
import { testService } from "@/test/service"
import { readModelUptimes } from "./read-model-uptimes"
import { readStatus } from "./read-status"
import { dropOldStatus, sampleStatus } from "./sample-status"
import { StatusReports } from "./status-reports"

const NOW = new Date("2026-11-22T10:30:30Z")
const NOTHING = { console: null, mail: null, payments: null }

const service = await testService()
beforeEach(async () => {
  runtime().statusReports = new StatusReports()
  await runtime().pool.query("DELETE FROM status_sum")
  return () => vi.restoreAllMocks()
})

const minutesAgo = (minutes: number) => new Date(NOW.getTime() - 60_000 * minutes)
const sample = (component: string, works: boolean, at = NOW) => ({ component, works, at })
const write = (...samples: ReturnType<typeof sample>[]) => runtime().status.write(samples)
const states = async () =>
  (await readStatus(runtime(), NOW)).components.map(({ component, state }) => [component, state])

describe("a sample", () => {
  it("has a row for every part that this process knows", async () => {
    await sampleStatus(runtime(), { console: true, mail: false, payments: null }, NOW)
    const { state, components } = await readStatus(runtime(), NOW)
    expect(state).toBe("down")
    expect(components.map(({ component, model, state }) => [component, model, state])).toEqual([
      ["api", null, "up"],
      ["console", null, "up"],
      ["database", null, "up"],
      ["mail", null, "down"],
      ["engine", "svc-lexical-baseline-1", "up"],
    ])
  })

  it("that says the ledger cannot be written counts against the database and the API", async () => {
    vi.spyOn(runtime().writes, "findFault").mockResolvedValue("database_full")
    await sampleStatus(runtime(), NOTHING, NOW)
    expect(await states()).toEqual([
      ["api", "down"],
      ["database", "down"],
      ["engine", "up"],
    ])
  })

  it("that the database does not store is stored with the next one", async () => {
    const query = vi.spyOn(runtime().pool, "query").mockRejectedValueOnce(new Error("the database is unreachable"))
    await expect(write(sample("database", false, minutesAgo(1)))).rejects.toThrow("unreachable")
    query.mockRestore()
    await write(sample("database", true))
    const [database] = (await readStatus(runtime(), NOW)).components
    expect(database).toMatchObject({ state: "degraded", days: { total: 0.5 } })
  })
})

describe("the report", () => {
  it("adds the samples of all processes, by hour and by UTC day", async () => {
    await write(sample("api", true, minutesAgo(5)), sample("api", true), sample("api", false), sample("api", true))
    await write(sample("api", true, minutesAgo(31)), sample("api", true, new Date(NOW.getTime() - DAY_MS)))
    const { state, lastSampleAt, hours, days } = (await readStatus(runtime(), NOW)).components[0] ?? {}
    expect([state, lastSampleAt]).toEqual(["degraded", "2026-11-22T10:30:00.000Z"])
    // The sample of a day ago is older than the 23 full hours and the current one.
    expect(hours).toEqual({
      start: "2026-11-21T11:00:00.000Z",
      steps: [...Array(22).fill(null), 1, 0.75],
      total: 0.8,
      counted: 2,
    })
    expect(days).toEqual({
      start: "2026-08-25T00:00:00.000Z",
      steps: [...Array(88).fill(null), 1, 0.8],
      total: 0.83333,
      counted: 2,
    })
  })

  it("has 24 hours and 90 days, also when a sample of the next hour or day was stored meanwhile", async () => {
    const now = new Date("2026-11-22T23:59:59.999Z")
    await write(sample("api", true, now), sample("api", false, new Date("2026-11-23T00:00:00.000Z")))
    const { hours, days } = (await readStatus(runtime(), now)).components[0] ?? {}
    expect(hours).toEqual({
      start: "2026-11-22T00:00:00.000Z",
      steps: [...Array(23).fill(null), 1],
      total: 1,
      counted: 1,
    })
    expect(days).toEqual({
      start: "2026-08-25T00:00:00.000Z",
      steps: [...Array(89).fill(null), 1],
      total: 1,
      counted: 1,
    })
  })

  it("shows a part as unknown when it was not sampled for three minutes, and drops it after a day", async () => {
    await write(sample("api", true, minutesAgo(5)), sample("mail", true, new Date(NOW.getTime() - 25 * 3_600_000)))
    expect(await states()).toEqual([["api", "unknown"]])
    expect((await readStatus(runtime(), NOW)).state).toBe("unknown")
  })

  it("never rounds a failure up to a full uptime", async () => {
    await runtime().pool.query("INSERT INTO status_sum VALUES ('api', 'minute', $1, 1000000, 1)", [NOW])
    expect((await readStatus(runtime(), NOW)).components[0]?.hours.total).toBe(0.99999)
  })

  it("is answered from memory, and read again after half a minute", async () => {
    vi.useFakeTimers({ toFake: ["performance"] })
    await write(sample("api", true, new Date()))
    const reports = new StatusReports()
    await reports.refresh(runtime())
    const query = vi.spyOn(runtime().pool, "query")
    expect(reports.current(runtime()).components).toHaveLength(1)
    const reads = async () => {
      await reports.refresh(runtime())
      return query.mock.calls.filter(([sql]) => String(sql).includes("FROM status_sum")).length
    }
    vi.advanceTimersByTime(29_000)
    expect(await reads()).toBe(0)
    vi.advanceTimersByTime(1_000)
    expect(await reads()).toBe(1)
    vi.useRealTimers()
  })

  it("leaves out the engine of a retired model at once", async () => {
    await runtime().pool.query(
      "INSERT INTO model (id, kind, status, engine, price_pico) VALUES ('old-1', 'pinned', 'active', 'lexical', 0)",
    )
    await loadCatalogue(runtime())
    await write(sample("engine:old-1", true, new Date()), sample("engine:svc-lexical-baseline-1", true, new Date()))
    vi.useFakeTimers({ toFake: ["performance"] })
    const { statusReports } = runtime()
    await statusReports.refresh(runtime())
    const models = (reports: StatusReports) => reports.current(runtime()).components.map(({ model }) => model)
    expect(models(statusReports)).toEqual(["old-1", "svc-lexical-baseline-1"])
    await runtime().pool.query("UPDATE model SET status = 'retired' WHERE id = 'old-1'")
    await loadCatalogue(runtime())
    vi.advanceTimersByTime(1_000)
    expect(models(statusReports)).toEqual(["svc-lexical-baseline-1"])
    vi.useRealTimers()
  })
})

describe("while the database cannot be used", () => {
  const outage = async (begin: () => void, now = NOW) => {
    await write(sample("console", true), sample("mail", true), sample("engine:svc-lexical-baseline-1", true))
    const reports = new StatusReports()
    vi.useFakeTimers({ toFake: ["Date"], now: NOW })
    await reports.refresh(runtime())
    vi.useRealTimers()
    begin()
    const { state, components } = reports.current(runtime(), now)
    await loadCatalogue(runtime())
    runtime().writes.failingSince = null
    return [state, ...components.map((part) => [part.component, part.state, part.downSince])]
  }
  const SINCE = new Date("2026-11-22T10:30:45.000Z")
  const down = (component: string) => [component, "down", "2026-11-22T10:30:45.000Z"]

  it("the API and the database are down since the first read that failed, and engines are as this process sees them", async () => {
    vi.spyOn(runtime().engines, "availability").mockReturnValue({ available: false, reason: "gone" })
    expect(await outage(() => runtime().catalogue.markStale(SINCE))).toEqual([
      ...["down", down("api"), down("database"), ["console", "up", null], ["mail", "up", null]],
      ["engine", "down", null],
    ])
  })

  it("the same when it can be read but not written", async () => {
    const states = await outage(() => {
      runtime().writes.failingSince = SINCE
    })
    expect(states.slice(0, 3)).toEqual(["down", down("api"), down("database")])
  })

  it("what was checked over three minutes ago is unknown", async () => {
    const states = await outage(() => runtime().catalogue.markStale(SINCE), new Date("2026-11-22T10:34:00Z"))
    expect(states).toContainEqual(["mail", "unknown", null])
    expect(states).toContainEqual(["engine", "up", null])
  })

  it("a process that never read a report says so too", () => {
    runtime().catalogue.markStale(SINCE)
    const { state, components } = new StatusReports().current(runtime(), NOW)
    runtime().catalogue.staleSince = null
    expect([state, components.map(({ component }) => component)]).toEqual(["down", ["api", "database"]])
  })
})

describe("the uptimes of models", () => {
  const engine = (model: string, works: boolean, at: Date) => sample(`engine:${model}`, works, at)

  it("are the shares of the samples of 24 hours in which their engines were available", async () => {
    const now = new Date()
    await write(sample("api", true, now), engine("m-1", false, new Date(now.getTime() - 2 * DAY_MS)))
    await write(...[true, true, false].map((works) => engine("svc-lexical-baseline-1", works, now)))
    await runtime().statusReports.refresh(runtime())
    const uptimes = readModelUptimes(runtime())
    expect([...uptimes.keys()]).toEqual(["svc-lexical-baseline-1"])
    const lastSampleAt = `${now.toISOString().slice(0, 16)}:00.000Z`
    const hours = [...Array(23).fill(null), 0.66666]
    expect(uptimes.get("svc-lexical-baseline-1")).toEqual({ uptime: 0.66666, hours, state: "degraded", lastSampleAt })
  })
})

it("minutes are dropped after two days, and days after STATUS_RETENTION_DAYS", async () => {
  const daysAgo = (days: number) => sample("api", true, new Date(NOW.getTime() - days * DAY_MS))
  await write(sample("api", true), daysAgo(1), daysAgo(3), daysAgo(89), daysAgo(92))
  await dropOldStatus(runtime(), NOW)
  const { rows } = await runtime().pool.query(
    "SELECT unit, count(*)::int AS n FROM status_sum GROUP BY unit ORDER BY 1",
  )
  expect(rows).toEqual([
    { unit: "day", n: 4 },
    { unit: "minute", n: 2 },
  ])
})

it("GET /status.json shows the report to everyone, for caches too", async () => {
  await write(sample("engine:svc-lexical-baseline-1", true, new Date()))
  await runtime().statusReports.refresh(runtime())
  const response = await fetch(`${service.url}/status.json`)
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "public, max-age=30"])
  expect(await response.json()).toMatchObject({
    status: "up",
    components: [
      {
        ...{ component: "engine", model: "svc-lexical-baseline-1", status: "up", uptime_24h: 1, uptime_90d: 1 },
        down_since: null,
        hours: { uptime: [...Array(23).fill(null), 1], counted: 1 },
      },
    ],
  })
})

it("GET /status.json lists the present and the old signing keys, also while they cannot be read", async () => {
  const listed = async () => (await (await fetch(`${service.url}/status.json`)).json()).signing_keys
  expect(await listed()).toEqual([])
  await rotateSigningKey(runtime(), OPERATOR)
  const [old, current] = await rotateSigningKey(runtime(), OPERATOR)
  await runtime().statusReports.refresh(runtime())
  vi.spyOn(runtime().pool, "query").mockRejectedValue(new Error("the database is unreachable"))
  await expect.poll(listed).toEqual([
    { id: old?.id, public_key: old?.publicKey, retired_at: old?.retiredAt },
    { id: current?.id, public_key: current?.publicKey, retired_at: null },
  ])
  expect(old?.retiredAt).toMatch(/^20.+Z$/)
})
