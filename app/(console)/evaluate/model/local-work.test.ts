import "fake-indexeddb/auto"
import { IDBFactory } from "fake-indexeddb"
import { expect, test, vi } from "vitest"
import { newId } from "@/lib/shared/evaluate/rows/evaluation-set"
import { NO_TOTALS } from "@/lib/shared/evaluate/run/evaluation-run"
import { readLocalWork } from "@/lib/shared/local-work"
import { newRun, newSet } from "@/test/scripted-run"
import { addSet } from "./evaluation-store"

test("sets and paid answers of every account are counted", async () => {
  const before = await readLocalWork()
  for (const [accountId, answered] of [
    ["one", 1_200],
    ["other", 3],
  ] as const) {
    const set = newSet(newRun(), { id: newId(), accountId })
    const totals = { ...NO_TOTALS, answered, costUsd: "0.000001000000" }
    const run = newRun({ id: newId(), setId: set.id, accountId, totals })
    await addSet(set, { rows: [], runs: [{ run, plan: [], results: [] }] })
  }
  const after = await readLocalWork()
  expect(after.sets - before.sets).toBe(2)
  expect(after.answers - before.answers).toBe(1_203)
  expect(after.isPaid).toBe(true)
})

test("counting creates no database in a browser without any", async () => {
  vi.stubGlobal("indexedDB", new IDBFactory())
  try {
    expect(await readLocalWork()).toEqual({ sets: 0, answers: 0, isPaid: false, pastRuns: 0, drafts: 0 })
    expect(await indexedDB.databases()).toEqual([])
  } finally {
    vi.unstubAllGlobals()
  }
})
