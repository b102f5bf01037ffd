import { expect, test } from "vitest"
import { noul } from "@/lib/shared/request-form/examples"
import { newRun, newSet } from "@/test/scripted-run"
import { askedRows } from "../run/asked-rows"
import type { EvaluationRun, RowResult } from "../run/evaluation-run"
import { judgedRows } from "./judged-rows"

const RUN: EvaluationRun = newRun({
  form: { ...newRun().form, questions: [noul("refund", "Refund?", "", "")] },
  mapping: {
    state: { kind: "column", column: "text" },
    labels: [{ question: "refund", column: "refund", firstLevel: 0 }],
  },
})
const ROWS = Array.from({ length: 4 }, (_, index) => ({ index, line: index + 2, cells: [`text ${index}`, "yes"] }))
const RESULTS = [0.75, 0.25, 0.5].map((yes, row): RowResult => {
  const answer = { status: "answered", tokens: 7, costUsd: null, requestId: null, latencyMs: 3 } as const
  return { runId: "run", row, answers: [[1 - yes, yes]], ...answer }
})

test("answered rows are judged by the run's questions and mapping, and by the user's corrections", () => {
  const corrections = [
    { question: "refund", row: 1, label: 0, outcome: "no" },
    { question: "refund", row: 2, label: null },
  ]
  const set = newSet(RUN, { columns: ["text", "refund"], mapping: { ...RUN.mapping, labels: [] } })
  expect(judgedRows(askedRows(set, ROWS, RUN), RESULTS, corrections, "refund")).toEqual([
    { row: 0, line: 2, state: '"text 0"', label: 1, isCorrected: false, probabilities: [0.25, 0.75] },
    { row: 1, line: 3, state: '"text 1"', label: 0, isCorrected: true, probabilities: [0.75, 0.25] },
  ])
})
