import "fake-indexeddb/auto"
import { expect, test } from "vitest"
import { type EvaluationSet, newId } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { EarlierRun, EvaluationRun, RowResult, SetContents } from "@/lib/shared/evaluate/run/evaluation-run"
import { withAbortedWrite } from "@/test/abort-write"
import { newRun, newSet } from "@/test/scripted-run"
import {
  addSet,
  contentsOf,
  findRun,
  findSet,
  isOutOfRoom,
  listChecks,
  listSets,
  planOf,
  removeSet,
  resultsOf,
  rowsOf,
  runsOf,
  saveRuns,
  saveSet,
  saveSetAndRows,
} from "./evaluation-store"

const storedSet = (accountId: string): EvaluationSet =>
  newSet(newRun(), { id: newId(), accountId, columns: ["text", "refund"], rowCount: 1_201 })

const ROWS = Array.from({ length: 1_201 }, (_, index) => ({ index, line: index + 2, cells: [`text ${index}`, "yes"] }))

const runOf = ({ id, accountId }: EvaluationSet): EvaluationRun => newRun({ id: newId(), setId: id, accountId })

const answered = (runId: string, row: number, yes: number): RowResult => ({
  runId,
  row,
  status: "answered",
  answers: [[1 - yes, yes]],
  tokens: 7,
  costUsd: "0.000007000000",
  requestId: "req_1",
  latencyMs: 3,
})

test("a set comes back with its rows in order, to its own account only", async () => {
  const set = storedSet("acct_1")
  await addSet(set, { rows: ROWS, runs: [] })
  expect(await rowsOf(set.id)).toEqual(ROWS)
  expect(await findSet("acct_1", set.id)).toEqual(set)
  expect(await findSet("acct_2", set.id)).toBeNull()
  await saveSet({ ...set, name: "Renamed" })
  expect((await listSets("acct_1")).map(({ name }) => name)).toEqual(["Renamed"])
})

test("a check of one answer is not among the sets until it is kept", async () => {
  const check: EvaluationSet = { ...storedSet("acct_9"), isCheck: true }
  await addSet(check, { rows: [], runs: [] })
  expect(await listSets("acct_9")).toEqual([])
  expect((await listChecks("acct_9")).map(({ id }) => id)).toEqual([check.id])
  await saveSet({ ...check, isCheck: undefined })
  expect((await listSets("acct_9")).map(({ id }) => id)).toEqual([check.id])
  expect(await listChecks("acct_9")).toEqual([])
})

test("a set with runs comes back whole, or no part of it is stored, whichever write the browser refuses", async () => {
  const set = storedSet("acct_6")
  const [earlier, later] = [runOf(set), runOf(set)].sort((a, b) => a.id.localeCompare(b.id))
  if (!earlier || !later) throw new Error("There are two runs.")
  const contents: SetContents = {
    rows: ROWS,
    runs: [later, earlier].map((run) => ({ run, plan: [0, 2], results: [answered(run.id, 0, 0.5)] })),
  }
  // The set, its rows in three pieces, and each run with its plan and a result.
  for (let nth = 1; nth <= 10; nth++) {
    const { writes, error } = await withAbortedWrite(nth, () => addSet(set, contents))
    expect({ writes, isOutOfRoom: isOutOfRoom(error) }).toEqual({ writes: 10, isOutOfRoom: true })
    expect(await findSet("acct_6", set.id)).toBeNull()
    expect(await contentsOf(set.id)).toEqual({ rows: [], runs: [] })
    for (const { id } of [earlier, later]) expect([await planOf(id), await resultsOf(id)]).toEqual([[], []])
  }
  await addSet(set, contents)
  expect(await findSet("acct_6", set.id)).toEqual(set)
  expect(await contentsOf(set.id)).toEqual(contents)
})

test("what is read of a set to be exported is of one moment, also while a run stores answers", async () => {
  const set = storedSet("acct_9")
  const run = runOf(set)
  await addSet(set, { rows: ROWS, runs: [{ run, plan: [0, 1, 2, 3], results: [] }] })
  const save = (row: number) =>
    saveRuns([{ ...run, totals: { ...run.totals, answered: row + 1 } }], [answered(run.id, row, 0.5)])
  await save(0)
  const [contents] = await Promise.all([contentsOf(set.id), save(1), save(2), save(3)])
  const [found] = contents.runs
  expect(found?.results).toHaveLength(found?.run.totals.answered ?? 0)
  expect((await contentsOf(set.id)).runs[0]?.results).toHaveLength(4)
})

test("a column is joined to all rows, or to none, whichever write the browser refuses", async () => {
  const set = storedSet("acct_8")
  await addSet(set, { rows: ROWS, runs: [] })
  const joined = { ...set, columns: [...set.columns, "answer"], joined: ["answer"] }
  const rows = ROWS.map((row) => ({ ...row, cells: [...row.cells, "no"] }))
  // The set, and its rows in three pieces.
  for (let nth = 1; nth <= 4; nth++) {
    const { writes } = await withAbortedWrite(nth, () => saveSetAndRows(joined, rows))
    expect(writes).toBe(4)
    expect([await findSet("acct_8", set.id), await rowsOf(set.id)]).toEqual([set, ROWS])
  }
  await saveSetAndRows(joined, rows)
  expect([await findSet("acct_8", set.id), await rowsOf(set.id)]).toEqual([joined, rows])
})

test("a robustness check that an earlier version stored as a probe is still one", async () => {
  const set = storedSet("acct_7")
  const run = runOf(set)
  const earlier: EvaluationRun & EarlierRun = { ...run, probe: { kind: "ablation" } }
  await addSet(set, { rows: [], runs: [{ run: earlier, plan: [], results: [] }] })
  const expected = { ...run, robustness: { kind: "ablation" } }
  expect(await findRun(run.id)).toEqual(expected)
  expect(await runsOf(set.id)).toEqual([expected])
  expect((await contentsOf(set.id)).runs[0]?.run).toEqual(expected)
})

test("removing a set removes its rows, runs and results, and nothing of another set", async () => {
  const [kept, removed] = [storedSet("acct_3"), storedSet("acct_3")]
  for (const set of [kept, removed]) {
    await addSet(set, { rows: ROWS, runs: [] })
    const run = runOf(set)
    await saveRuns([run], [answered(run.id, 0, 0.5)])
  }
  const [keptRun] = await runsOf(kept.id)
  const [removedRun] = await runsOf(removed.id)
  await removeSet(removed.id)
  expect(await findSet("acct_3", removed.id)).toBeNull()
  expect(await rowsOf(removed.id)).toEqual([])
  expect(await resultsOf(removedRun?.id ?? "")).toEqual([])
  expect(await runsOf(removed.id)).toEqual([])
  expect(await rowsOf(kept.id)).toHaveLength(1_201)
  expect(await resultsOf(keptRun?.id ?? "")).toHaveLength(1)
})

test("the results of a run come back whole and in order, also those that are read in several parts", async () => {
  const set = storedSet("acct_5")
  const [run, later] = [runOf(set), runOf(set)]
  await saveRuns([later], [answered(later.id, 0, 0.5)])
  const rows = Array.from({ length: 2_000 }, (_, row) => row)
  await saveRuns(
    [run],
    rows.toReversed().map((row) => answered(run.id, row, 0.5)),
  )
  expect((await resultsOf(run.id)).map(({ row }) => row)).toEqual(rows)
  await saveRuns([run], [answered(run.id, 2_000, 0.5)])
  expect(await resultsOf(run.id)).toHaveLength(2_001)
})
