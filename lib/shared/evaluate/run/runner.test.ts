import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { pico } from "@/lib/shared/money"
import { ANSWER, LOST, newRun, refused, setUp, statusesOf } from "@/test/scripted-run"
import { type EvaluationRun, NO_TOTALS, type RowResult } from "./evaluation-run"
import type { QueuedRow } from "./queue-rows"
import { Runner } from "./runner"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test("every row is stored as sent, asked once, and its answer and cost are added up exactly", async () => {
  const { finish, sent, stored } = setUp({ rows: 200 })
  expect(await finish()).toMatchObject({
    status: "finished",
    totals: { answered: 200, failed: 0, inDoubt: 0, tokens: 2_000, costUsd: "0.200000000000" },
  })
  expect(sent.map(({ row }) => row)).toEqual(Array.from({ length: 200 }, (_, row) => row))
  expect(new Set(statusesOf(stored))).toEqual(new Set(["answered"]))
})

test("a thousand rows leave at the account's full rate, a few at a time", async () => {
  const { finish, sent, mostTogether } = setUp({ rows: 1_000, requestsPerSecond: 100 })
  await finish()
  expect(sent.at(-1)?.at).toBeLessThan(10_700)
  expect(sent.at(-1)?.at).toBeGreaterThan(9_900)
  expect(mostTogether()).toBeLessThanOrEqual(5)
})

test("a refusal for the rate waits for Retry-After and loses no row", async () => {
  const { finish, sent } = setUp({
    reply: (row, nth) => (row === 1 && nth === 0 ? refused("rate_limited", { retryAfterMs: 3_000 }) : ANSWER),
    inFlight: 1,
  })
  expect((await finish()).totals).toMatchObject({ answered: 3, failed: 0 })
  expect(sent.map(({ row }) => row)).toEqual([0, 1, 1, 2])
  expect((sent[2]?.at ?? 0) - (sent[1]?.at ?? 0)).toBeGreaterThanOrEqual(3_000)
  expect(sent[2]?.attempt).toBe("a1")
})

test("a row that keeps failing is kept with its error, and the others go on", async () => {
  const { finish, stored } = setUp({ reply: (row) => (row === 1 ? refused("upstream_error") : ANSWER) })
  expect(await finish()).toMatchObject({ status: "finished", totals: { answered: 2, failed: 1 } })
  expect(stored.get(1)).toEqual({
    runId: "run",
    row: 1,
    status: "failed",
    code: "upstream_error",
    message: "upstream_error.",
    requestId: null,
  })
})

test("failed rows of a paused run can be sent again, and the run stays paused for the rows that were never sent", async () => {
  const first = setUp({
    rows: 50,
    inFlight: 1,
    reply: (_row, nth) => (nth === 0 ? refused("invalid_request") : ANSWER),
  })
  const paused = await first.finish()
  const failed = Array.from({ length: 10 }, (_, row) => ({
    row,
    attempt: `b${row}`,
    sentAt: null,
    former: "failed" as const,
  }))
  const again = await setUp({ queue: failed, run: paused }).finish()
  expect(again).toMatchObject({ status: "paused", pause: paused.pause, totals: { answered: 10, failed: 0 } })
  const rest = Array.from({ length: 40 }, (_, at) => ({ row: 10 + at, attempt: "c", sentAt: null, former: null }))
  expect(await setUp({ queue: rest, run: again }).finish()).toMatchObject({ status: "finished", pause: null })
})

test("a row that is refused for itself is sent once", async () => {
  const { finish, sent } = setUp({ reply: (row) => (row === 0 ? refused("invalid_request") : ANSWER) })
  expect((await finish()).totals).toMatchObject({ answered: 2, failed: 1 })
  expect(sent.filter(({ row }) => row === 0)).toHaveLength(1)
})

test("ten failed rows in succession pause the run", async () => {
  const { finish, sent } = setUp({ rows: 50, reply: () => refused("invalid_request"), inFlight: 1 })
  expect(await finish()).toMatchObject({
    status: "paused",
    pause: { kind: "failing", code: "invalid_request" },
    totals: { failed: 10 },
  })
  expect(sent).toHaveLength(10)
})

test.each(["insufficient_balance", "key_limit_reached", "signed_out", "model_retired", "not_found"])(
  "%s stops the run, and it continues with the refused row",
  async (code) => {
    const first = setUp({
      rows: 4,
      inFlight: 1,
      reply: (row) => (row === 2 ? refused(code, { refusal: '{"topup_url":"/billing/top-up"}' }) : ANSWER),
    })
    const paused = await first.finish()
    expect(paused).toMatchObject({
      status: "paused",
      pause: { kind: "refused", code, refusal: '{"topup_url":"/billing/top-up"}' },
      totals: { answered: 2, failed: 0, inDoubt: 0 },
    })
    expect(first.stored.get(2)).toEqual({ runId: "run", row: 2, status: "waiting" })
    const rest = [2, 3].map((row) => ({ row, attempt: `b${row}`, sentAt: null, former: null }))
    const second = setUp({ queue: rest, run: paused })
    expect(await second.finish()).toMatchObject({ status: "finished", totals: { answered: 4 } })
  },
)

describe("the cap", () => {
  test("is never exceeded, and the run continues with a higher one", async () => {
    const first = setUp({ rows: 100, run: { capUsd: "0.05" } })
    const paused = await first.finish()
    // A row costs 0.001 and at most 0.002: after 49 rows, the next one could exceed the cap.
    expect(paused).toMatchObject({ status: "paused", pause: { kind: "cap" } })
    expect(paused.totals).toMatchObject({ answered: 49, costUsd: "0.049000000000" })
    const rest = Array.from({ length: 51 }, (_, at) => ({
      row: 49 + at,
      attempt: `b${at}`,
      sentAt: null,
      former: null,
    }))
    const second = setUp({ queue: rest, run: { ...paused, capUsd: "0.11" } })
    expect(await second.finish()).toMatchObject({
      status: "finished",
      totals: { answered: 100, costUsd: "0.100000000000" },
    })
  })

  test("counts rows in doubt at their maximum cost", async () => {
    const { finish } = setUp({
      rows: 10,
      run: { capUsd: "0.01" },
      inFlight: 1,
      reply: (row) => (row < 3 ? LOST : ANSWER),
    })
    const paused = await finish()
    expect(paused).toMatchObject({ pause: { kind: "cap" }, totals: { inDoubt: 3, answered: 3 } })
  })
})

describe("a lost connection", () => {
  test("leaves rows in doubt, sends nothing until the server responds, and continues by itself", async () => {
    let checks = 0
    const { finish, sent, stored, progress } = setUp({
      rows: 6,
      requestsPerSecond: 1_000,
      inFlight: 3,
      reply: (row) => (row === 1 || row === 2 ? LOST : ANSWER),
      isReachable: () => ++checks >= 4,
    })
    expect(await finish()).toMatchObject({ status: "finished", totals: { answered: 4, inDoubt: 2 } })
    expect(checks).toBe(4)
    expect(stored.get(1)).toMatchObject({ row: 1, status: "in_doubt", attempt: "a1", sentAt: expect.any(String) })
    expect(sent.filter(({ row }) => row === 1)).toHaveLength(1)
    expect(progress.some(({ isOffline }) => isOffline)).toBe(true)
    // 0.5 + 1 + 2 + 4 seconds of delays before the four checks.
    const gap = Math.max(...sent.map(({ at }, index) => at - (sent[index - 1]?.at ?? 0)))
    expect(gap).toBeGreaterThanOrEqual(7_500)
  })

  test("a row in doubt is sent again with the same attempt, and counts once", async () => {
    const totals = { ...NO_TOTALS, answered: 2, inDoubt: 1, failed: 1 }
    const queue: QueuedRow[] = [
      { row: 7, attempt: "first", sentAt: "2026-11-22T10:00:00.000Z", former: "in_doubt" },
      { row: 8, attempt: "other", sentAt: null, former: "failed" },
    ]
    const { finish, sent } = setUp({ queue, run: { totals } })
    expect((await finish()).totals).toMatchObject({ answered: 4, inDoubt: 0, failed: 0 })
    expect(sent[0]).toMatchObject({ row: 7, attempt: "first" })
  })

  test.each(["upstream_error", "invalid_request", "insufficient_balance"])(
    "a row in doubt that is then refused with %s keeps its attempt, because it may have been charged",
    async (code) => {
      const sentAt = "2026-11-22T10:00:00.000Z"
      const queue: QueuedRow[] = [{ row: 7, attempt: "first", sentAt, former: "in_doubt" }]
      const totals = { ...NO_TOTALS, inDoubt: 1 }
      const { finish, sent, stored } = setUp({ queue, run: { totals }, reply: () => refused(code) })
      expect((await finish()).totals).toEqual(totals)
      expect(stored.get(7)).toEqual({ runId: "run", row: 7, status: "in_doubt", attempt: "first", sentAt })
      expect(new Set(sent.map(({ attempt }) => attempt))).toEqual(new Set(["first"]))
    },
  )

  test("a row in doubt is sent again within a cap that has room for it only", async () => {
    const queue: QueuedRow[] = [{ row: 7, attempt: "first", sentAt: "2026-11-22T10:00:00.000Z", former: "in_doubt" }]
    const totals = { ...NO_TOTALS, inDoubt: 1 }
    const { finish } = setUp({ queue, run: { totals, capUsd: "0.002" }, inDoubtPico: pico(2_000_000_000n) })
    expect(await finish()).toMatchObject({ status: "finished", totals: { answered: 1, inDoubt: 0 } })
  })

  test("a request without a response in time is in doubt, and the run goes on", async () => {
    const timeout = new DOMException("", "TimeoutError")
    const { finish } = setUp({ reply: (row) => (row === 0 ? (timeout as unknown as Error) : ANSWER) })
    expect((await finish()).totals).toMatchObject({ answered: 2, inDoubt: 1 })
  })
})

describe("the user", () => {
  test.each(["pause", "cancel"] as const)("can %s: requests under way are awaited, no other leaves", async (act) => {
    const { runner, sent, stored } = setUp({ rows: 100 })
    const ended = runner.start()
    await vi.advanceTimersByTimeAsync(500)
    const before = sent.length
    runner[act]()
    await vi.runAllTimersAsync()
    const run = await ended
    expect(run.status).toBe(act === "pause" ? "paused" : "cancelled")
    expect(sent.length).toBe(before)
    expect(run.totals.answered).toBe(before)
    expect(new Set(statusesOf(stored))).toEqual(new Set(["answered"]))
  })

  test("a cancellation overrides a pause", async () => {
    const { runner } = setUp({ rows: 100 })
    const ended = runner.start()
    await vi.advanceTimersByTimeAsync(100)
    runner.pause()
    runner.cancel()
    await vi.runAllTimersAsync()
    expect((await ended).status).toBe("cancelled")
  })
})

test("the run rejects when the browser cannot store that a row is sent, and the row does not leave", async () => {
  const send = vi.fn()
  const ports = {
    send,
    maxCostOf: () => pico(1),
    save: async (_run: EvaluationRun, results: RowResult[]) => {
      if (results.length > 0) throw new DOMException("", "QuotaExceededError")
    },
    isReachable: async () => true,
    onProgress: () => {},
  }
  const queue = [{ row: 0, attempt: "a", sentAt: null, former: null }]
  const limits = { requestsPerSecond: 5, inFlight: 1 }
  await expect(new Runner(newRun(), queue, pico(0), ports, limits).start()).rejects.toThrow(DOMException)
  expect(send).not.toHaveBeenCalled()
})
