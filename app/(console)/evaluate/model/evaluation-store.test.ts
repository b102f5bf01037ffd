import "fake-indexeddb/auto"
import { expect, test } from "vitest"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { emptyQuestion } from "@/questions/question-form"
import { type EvaluationRun, NO_TOTALS, type RowResult } from "./evaluation-run"
import type { EvaluationSet } from "./evaluation-set"
import {
  addSet,
  findSet,
  listSets,
  newId,
  removeSet,
  resultsOf,
  rowsOf,
  runsOf,
  saveRun,
  saveSet,
} from "./evaluation-store"
import { judgedRows } from "./judged-rows"

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
  await addSet(set, ROWS)
  expect(await rowsOf(set.id)).toEqual(ROWS)
  expect(await findSet("acct_1", set.id)).toEqual(set)
  expect(await findSet("acct_2", set.id)).toBeNull()
  await saveSet({ ...set, name: "Renamed" })
  expect((await listSets("acct_1")).map(({ name }) => name)).toEqual(["Renamed"])
})

test("removing a set removes its rows, runs and results, and nothing of another set", async () => {
  const [kept, removed] = [newSet("acct_3"), newSet("acct_3")]
  for (const set of [kept, removed]) {
    await addSet(set, ROWS)
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

test("answered rows are judged by the run's questions and the user's corrections", () => {
  const corrections = [
    { question: "refund", row: 1, label: 0 },
    { question: "refund", row: 2, label: null },
  ]
  const set = { ...newSet("acct_4"), corrections }
  const run = newRun(set)
  const results = [answered(run.id, 0, 0.75), answered(run.id, 1, 0.25), answered(run.id, 2, 0.5)]
  const changed = { ...set, mapping: { ...set.mapping, labels: [] } }
  expect(judgedRows(changed, run, { rows: ROWS, results }, "refund")).toEqual([
    { row: 0, line: 2, state: '"text 0"', label: 1, isCorrected: false, probabilities: [0.25, 0.75] },
    { row: 1, line: 3, state: '"text 1"', label: 0, isCorrected: true, probabilities: [0.75, 0.25] },
  ])
})
