import "fake-indexeddb/auto"
import { expect, test } from "vitest"
import type { RowResult } from "@/lib/shared/evaluate/run/evaluation-run"
import { queueOf } from "@/lib/shared/evaluate/run/queue-rows"
import { newRun } from "@/test/scripted-run"
import { addRuns, resultsOf } from "../model/evaluation-store"
import { markInterrupted } from "./refresh-run"

const PLAN = [0, 1, 2, 3, 4]

async function interruptedRun(id: string) {
  const run = newRun({ id, status: "running", rowCount: 5 })
  const results: RowResult[] = [
    {
      runId: id,
      row: 0,
      status: "answered",
      answers: [[0.25, 0.75]],
      tokens: 3,
      costUsd: "0.000003000000",
      requestId: "req_1",
      latencyMs: 7,
    },
    { runId: id, row: 1, status: "failed", code: "upstream_error", message: "Failed.", requestId: null },
    { runId: id, row: 2, status: "sent", attempt: "first", sentAt: "2026-11-22T10:02:00.000Z" },
    { runId: id, row: 3, status: "waiting" },
  ]
  await addRuns([{ run, plan: PLAN, results }])
  return { run: await markInterrupted(run), results: await resultsOf(id) }
}

test("after an interruption rows under way are in doubt, and keep their attempt", async () => {
  const { run, results } = await interruptedRun("soon")
  expect(run).toMatchObject({
    status: "paused",
    pause: { kind: "interrupted" },
    totals: { answered: 1, failed: 1, inDoubt: 1, tokens: 3, costUsd: "0.000003000000" },
  })
  const rowsFor = (sending: Parameters<typeof queueOf>[2], now: string) =>
    queueOf(PLAN, results, sending, Date.parse(now))
  const soon = "2026-11-22T11:00:00Z"
  const inDoubt = { row: 2, attempt: "first", sentAt: "2026-11-22T10:02:00.000Z", former: "in_doubt" }
  expect(rowsFor("rest", soon)).toMatchObject([inDoubt, { row: 3, former: null }, { row: 4, former: null }])
  expect(rowsFor("failed", soon)).toMatchObject([{ row: 1, former: "failed" }])
  expect(rowsFor("in_doubt", soon)).toEqual([inDoubt])
})

test("a row in doubt is sent again only on request once the server may charge it a second time", async () => {
  const { results } = await interruptedRun("late")
  const rowsFor = (sending: Parameters<typeof queueOf>[2]) =>
    queueOf(PLAN, results, sending, Date.parse("2026-11-23T10:00:00Z")).map(({ row }) => row)
  expect(rowsFor("rest")).toEqual([3, 4])
  expect(rowsFor("in_doubt")).toEqual([2])
})
