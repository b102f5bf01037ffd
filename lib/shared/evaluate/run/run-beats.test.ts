import { afterEach, expect, test, vi } from "vitest"
import { newRun } from "@/test/scripted-run"
import { NO_TOTALS } from "./evaluation-run"
import { followRuns, type RunsProgress, reportRun } from "./run-beats"

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
})

/** Follows the runs of an account. Returns what is reported, in order. */
function followAll(accountId: string): (RunsProgress | null)[] {
  const reports: (RunsProgress | null)[] = []
  ends.push(
    followRuns(
      (id) => id === accountId,
      (progress) => reports.push(progress),
    ),
  )
  return reports
}

/** Follows the runs of an account and returns what was reported last. */
function follow(accountId: string): () => RunsProgress | null | undefined {
  const reports = followAll(accountId)
  return () => reports.at(-1)
}

const runOf = (id: string, answered: number, failed: number) =>
  newRun({ id, accountId: "ada", rowCount: 100, totals: { ...NO_TOTALS, answered, failed } })

test("every tab learns how far the runs of its account are, and when they end", async () => {
  const own = follow("ada")
  const others = followAll("grace")
  const endFirst = reportRun(() => runOf("first", 40, 2))
  await expect.poll(own).toEqual({ settled: 42, rowCount: 100 })
  const endSecond = reportRun(() => runOf("second", 10, 0))
  await expect.poll(own).toEqual({ settled: 52, rowCount: 200 })
  endFirst()
  await expect.poll(own).toEqual({ settled: 10, rowCount: 100 })
  endSecond()
  await expect.poll(own).toBeNull()
  expect(others.filter((progress) => progress !== null)).toEqual([])
})

test("a tab that opens during a run learns of it by the next report", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  ends.push(reportRun(() => runOf("late", 7, 0)))
  const own = follow("ada")
  vi.advanceTimersByTime(1_000)
  await expect.poll(own).toEqual({ settled: 7, rowCount: 100 })
})

test("a run whose tab closed is forgotten", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] })
  const own = follow("ada")
  const channel = new BroadcastChannel("evaluate-runs")
  channel.postMessage({ runId: "lost", accountId: "ada", settled: 3, rowCount: 9, isOver: false })
  channel.close()
  await expect.poll(own).toEqual({ settled: 3, rowCount: 9 })
  vi.advanceTimersByTime(4_000)
  expect(own()).toEqual({ settled: 3, rowCount: 9 })
  vi.advanceTimersByTime(2_000)
  expect(own()).toBeNull()
})
