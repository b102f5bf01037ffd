import "fake-indexeddb/auto"
import { expect, test, vi } from "vitest"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { EvaluationRun, RowResult } from "@/lib/shared/evaluate/run/evaluation-run"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { emptyQuestion } from "@/questions/question-form"
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

test("of two runs that are chosen one after the other the last one is shown, whichever loads first", async () => {
  await addRuns([
    { run: newRun({ id: "slow" }), plan: [], results: resultsFor("slow", 3_000) },
    { run: newRun({ id: "fast" }), plan: [], results: resultsFor("fast", 1) },
  ])
  for (const [first, last] of [
    ["slow", "fast"],
    ["fast", "slow"],
  ] as const) {
    const { getState, chooseRun } = open([newRun(), newRun({ id: "slow" }), newRun({ id: "fast" })])
    expect(await Promise.all([chooseRun(first), chooseRun(last)])).toEqual([true, true])
    expect(getState().run?.id).toBe(last)
    expect(getState().results[0]).toEqual({ runId: last, row: 0, status: "waiting" })
  }
})

test("a run whose results cannot be read is not shown", async () => {
  const { getState, chooseRun } = open([newRun({ id: "shown" }), newRun({ id: "unreadable" })])
  const reading = vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => {
    throw new DOMException("The disk failed.", "UnknownError")
  })
  expect(await chooseRun("unreadable").finally(() => reading.mockRestore())).toBe(false)
  expect(getState().run?.id).toBe("shown")
})

test("a run that begins while another one is being chosen stays shown", async () => {
  await addRuns([{ run: newRun({ id: "chosen" }), plan: [], results: resultsFor("chosen", 1) }])
  const { getState, chooseRun, replaceRun, showResults } = open([newRun(), newRun({ id: "chosen" })])
  showResults("run", resultsFor("run", 1))
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

test("the rows of a run are read anew once another column has its right answers or makes groups", () => {
  const refund = { ...emptyQuestion("noul", "refund"), instructions: asText("Refund?") }
  const run = newRun({ form: { ...newRun().form, questions: [refund] } })
  const set = newSet(run, { columns: ["text", "refund", "customer"] })
  const rows = ["a", "b"].map((text, index) => ({ index, line: index + 2, cells: [text, "yes", "Ada"] }))
  const { askedBy, changeSet } = createOpenSet({ set, rows, runs: [run], run, results: [] })
  const labels = () => askedBy(run).usable.map((row) => row.labels)
  expect([labels(), askedBy(run).groups]).toEqual([[[null], [null]], Uint32Array.of(0, 1)])
  const mapping = { ...set.mapping, labels: [{ question: "refund", column: "refund", firstLevel: 0 as const }] }
  changeSet({ mapping })
  expect(labels()).toEqual([[1], [1]])
  changeSet({ mapping: { ...mapping, group: "customer" } })
  expect(askedBy(run).groups).toEqual(Uint32Array.of(0, 0))
})

test("changed rows are shown once they are stored, and are then read anew", async () => {
  const run = newRun()
  const set = newSet(run, { id: "rows", accountId: "acct" })
  const [before, after] = ["one", "two"].map((text) => [{ index: 0, line: 2, cells: [text] }])
  const opened = createOpenSet({ set, rows: before ?? [], runs: [run], run, results: [] })
  const { getState, askedBy, valuesOf, changeSet, changeRows } = opened
  const values = valuesOf("text")
  expect(valuesOf("text")).toBe(values)
  expect(askedBy(run).usable).toMatchObject([{ state: '{"text":"one"}' }])
  await withAbortedWrite(1, async () => {
    changeSet({ name: "Unstored" })
    await expect.poll(() => getState().isUnstored).toBe(true)
  })
  expect((await withAbortedWrite(1, () => changeRows({}, after ?? []))).error).not.toBeNull()
  expect(getState().rows).toBe(before)
  const change = changeRows({ name: "Stored" }, after ?? [])
  expect(getState().rows).toBe(before)
  await change
  expect(getState()).toMatchObject({ rows: after, isUnstored: false })
  expect(valuesOf("text")).toEqual([{ text: "two", count: 1 }])
  expect(askedBy(run).usable).toMatchObject([{ state: '{"text":"two"}' }])
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
