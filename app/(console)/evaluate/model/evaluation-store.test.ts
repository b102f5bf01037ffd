import "fake-indexeddb/auto"
import { expect, test } from "vitest"
import { type EvaluationSet, newId } from "@/lib/shared/evaluate/rows/evaluation-set"
import {
  type EarlierRun,
  type EvaluationRun,
  NO_TOTALS,
  type RowResult,
  type SetContents,
} from "@/lib/shared/evaluate/run/evaluation-run"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { emptyQuestion } from "@/questions/question-form"
import { withAbortedWrite } from "@/test/abort-write"
import {
  addSet,
  contentsOf,
  findRun,
  findSet,
  isOutOfRoom,
  listSets,
  planOf,
  removeSet,
  resultsOf,
  rowsOf,
  runsOf,
  saveRun,
  saveSet,
} from "./evaluation-store"

const newSet = (accountId: string): EvaluationSet => ({
  id: newId(),
  accountId,
  name: "Tickets",
  createdAt: "2026-11-22T10:00:00Z",
  source: { format: "csv", name: "tickets.csv" },
  columns: ["text", "refund"],
  rowCount: 1_201,
  unreadable: [],
  mapping: {
    state: { kind: "column", column: "text" },
    labels: [{ question: "refund", column: "refund", firstLevel: 0 }],
  },
  form: {
    model: "m",
    keyId: "",
    state: asText(""),
    questions: [{ ...emptyQuestion("noul", "refund"), instructions: asText("Refund?") }],
  },
  corrections: [],
})

const ROWS = Array.from({ length: 1_201 }, (_, index) => ({ index, line: index + 2, cells: [`text ${index}`, "yes"] }))

const newRun = (set: EvaluationSet): EvaluationRun => ({
  id: newId(),
  setId: set.id,
  accountId: set.accountId,
  startedAt: "2026-11-22T10:01:00Z",
  status: "running",
  pause: null,
  form: set.form,
  pinnedId: "m-1",
  mapping: set.mapping,
  keyName: "Playground",
  capUsd: null,
  rowCount: 3,
  totals: NO_TOTALS,
  acceptances: [],
})

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
  const set = newSet("acct_1")
  await addSet(set, { rows: ROWS, runs: [] })
  expect(await rowsOf(set.id)).toEqual(ROWS)
  expect(await findSet("acct_1", set.id)).toEqual(set)
  expect(await findSet("acct_2", set.id)).toBeNull()
  await saveSet({ ...set, name: "Renamed" })
  expect((await listSets("acct_1")).map(({ name }) => name)).toEqual(["Renamed"])
})

test("a set with runs comes back whole, or no part of it is stored, whichever write the browser refuses", async () => {
  const set = newSet("acct_6")
  const [earlier, later] = [newRun(set), newRun(set)].sort((a, b) => a.id.localeCompare(b.id))
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

test("a robustness check that an earlier version stored as a probe is still one", async () => {
  const set = newSet("acct_7")
  const run = newRun(set)
  const earlier: EvaluationRun & EarlierRun = { ...run, probe: { kind: "ablation" } }
  await addSet(set, { rows: [], runs: [{ run: earlier, plan: [], results: [] }] })
  const expected = { ...run, robustness: { kind: "ablation" } }
  expect(await findRun(run.id)).toEqual(expected)
  expect(await runsOf(set.id)).toEqual([expected])
  expect((await contentsOf(set.id)).runs[0]?.run).toEqual(expected)
})

test("removing a set removes its rows, runs and results, and nothing of another set", async () => {
  const [kept, removed] = [newSet("acct_3"), newSet("acct_3")]
  for (const set of [kept, removed]) {
    await addSet(set, { rows: ROWS, runs: [] })
    const run = newRun(set)
    await saveRun(run, [answered(run.id, 0, 0.5)])
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
  const set = newSet("acct_5")
  const [run, later] = [newRun(set), newRun(set)]
  await saveRun(later, [answered(later.id, 0, 0.5)])
  const rows = Array.from({ length: 2_000 }, (_, row) => row)
  await saveRun(
    run,
    rows.toReversed().map((row) => answered(run.id, row, 0.5)),
  )
  expect((await resultsOf(run.id)).map(({ row }) => row)).toEqual(rows)
  await saveRun(run, [answered(run.id, 2_000, 0.5)])
  expect(await resultsOf(run.id)).toHaveLength(2_001)
})
