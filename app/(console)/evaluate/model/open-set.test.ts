import "fake-indexeddb/auto"
import { expect, test } from "vitest"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { EvaluationRun, RowResult } from "@/lib/shared/evaluate/run/evaluation-run"
import { withAbortedWrite } from "@/test/abort-write"
import { newRun, newSet } from "@/test/scripted-run"
import { addRuns, findRun, findSet } from "./evaluation-store"
import { createOpenSet, firstShown } from "./open-set"

const resultsFor = (runId: string, count: number): RowResult[] =>
  Array.from({ length: count }, (_, row) => ({ runId, row, status: "waiting" }))

const SET = { corrections: [] as EvaluationSet["corrections"] } as EvaluationSet

const open = (runs: EvaluationRun[]) => createOpenSet({ set: SET, rows: [], runs, run: runs[0] ?? null, results: [] })

test("a set opens with its running run, also when a newer one exists, and not with a queued one", () => {
  const [newer, older] = [newRun({ id: "2", status: "finished" }), newRun({ id: "1", status: "finished" })]
  const queued = newRun({ id: "3", pause: { kind: "queued" } })
  expect(firstShown([newer, { ...older, status: "running" }])?.id).toBe("1")
  expect(firstShown([queued, newer, older])?.id).toBe("2")
  expect(firstShown([])).toBeNull()
})

test("results of a run that is not shown do not replace those of the shown run", () => {
  const { getState, showResults } = open([newRun({ id: "shown" }), newRun({ id: "other" })])
  showResults("shown", resultsFor("shown", 1))
  showResults("other", resultsFor("other", 2))
  expect(getState().results).toEqual([{ runId: "shown", row: 0, status: "waiting" }])
})

test("of two runs that are chosen one after the other the last one is shown, also when it loads first", async () => {
  await addRuns([
    { run: newRun({ id: "slow" }), plan: [], results: resultsFor("slow", 3_000) },
    { run: newRun({ id: "fast" }), plan: [], results: resultsFor("fast", 1) },
  ])
  const { getState, chooseRun } = open([newRun(), newRun({ id: "slow" }), newRun({ id: "fast" })])
  await Promise.all([chooseRun("slow"), chooseRun("fast")])
  expect(getState().run?.id).toBe("fast")
  expect(getState().results).toEqual([{ runId: "fast", row: 0, status: "waiting" }])
})

test("a run that begins while another one is being chosen stays shown", async () => {
  await addRuns([{ run: newRun({ id: "chosen" }), plan: [], results: resultsFor("chosen", 1) }])
  const { getState, chooseRun, replaceRun } = open([newRun(), newRun({ id: "chosen" })])
  const choosing = chooseRun("chosen")
  replaceRun(newRun({ id: "new" }))
  await choosing
  expect(getState().run?.id).toBe("new")
  expect(getState().results).toEqual([])
})

test("the rows of a run are read once, however many parts of the page ask for them", () => {
  const [run, other] = [newRun({ id: "1" }), newRun({ id: "2" })]
  const set = newSet(run)
  const rows = [{ index: 0, line: 2, cells: ["text"] }]
  const { askedBy, changeSet } = createOpenSet({ set, rows, runs: [run, other], run, results: [] })
  const asked = askedBy(run)
  expect(asked.usable).toEqual([{ index: 0, line: 2, state: '{"text":"text"}', labels: [] }])
  changeSet({ mapping: { state: { kind: "template", template: "{{text}}!" }, labels: [] } })
  expect(askedBy({ ...run, status: "finished" })).toBe(asked)
  expect(askedBy(other)).toEqual(asked)
  expect(askedBy(other)).not.toBe(asked)
})

test("a change of the set that the browser does not store is shown as such until it is stored", async () => {
  const set = { ...newSet(newRun()), id: "unstored", accountId: "acct", name: "First" }
  const { getState, changeSet, storeAgain } = createOpenSet({ set, rows: [], runs: [], run: null, results: [] })
  const aborted = async (name: string) => {
    await withAbortedWrite(1, async () => {
      changeSet({ name })
      await expect.poll(() => getState().isUnstored).toBe(true)
    })
    expect(getState().set.name).toBe(name)
    expect((await findSet("acct", "unstored"))?.name).not.toBe(name)
  }
  await aborted("Second")
  await withAbortedWrite(1, storeAgain)
  expect(getState().isUnstored).toBe(true)
  await storeAgain()
  expect(getState().isUnstored).toBe(false)
  expect(await findSet("acct", "unstored")).toMatchObject({ name: "Second" })

  await aborted("Third")
  // A later change stores all of the set.
  changeSet({ name: "Fourth" })
  await expect.poll(() => getState().isUnstored).toBe(false)
  expect(await findSet("acct", "unstored")).toMatchObject({ name: "Fourth" })
})

test("a changed run is shown once it is stored, or as unstored when it cannot be stored", async () => {
  const run = newRun({ id: "changed", status: "paused" })
  await addRuns([{ run, plan: [], results: [] }])
  const { getState, changeRun, storeAgain } = open([run])
  const change = changeRun({ ...run, status: "cancelled" })
  expect(getState().run?.status).toBe("paused")
  await change
  expect(getState().run?.status).toBe("cancelled")
  expect((await findRun("changed"))?.status).toBe("cancelled")
  await withAbortedWrite(1, () => changeRun({ ...run, status: "finished" }))
  expect(getState().run?.status).toBe("finished")
  expect(getState().isUnstored).toBe(true)
  await storeAgain()
  expect(getState().isUnstored).toBe(false)
  expect((await findRun("changed"))?.status).toBe("finished")
})
