import { expect, test } from "vitest"
import { choice, score } from "@/lib/shared/request-form/examples"
import { newRun, newSet } from "@/test/scripted-run"
import { writeResultsCsv } from "../export/write-results-csv"
import type { Correction, EvaluationSet } from "../rows/evaluation-set"
import { questionsOf } from "../rows/read-rows"
import { askedRows } from "../run/asked-rows"
import type { EvaluationRun, RowResult } from "../run/evaluation-run"
import { correctedLabels } from "./corrections"
import { judgedRows } from "./judged-rows"
import { pairedRows } from "./paired-rows"

const runOf = (...options: string[]): EvaluationRun => {
  const questions = [
    choice(
      "team",
      "Which team?",
      options.map((name) => [name, ""]),
    ),
    score("urgency", "How soon?", options),
  ]
  const mapping = {
    ...newRun().mapping,
    labels: ["team", "urgency"].map((name) => ({ question: name, column: name, firstLevel: 0 as const })),
  }
  return newRun({ form: { ...newRun().form, questions }, mapping })
}
const RUN = runOf("billing", "other")
const REVERSED = runOf("other", "billing")

const setWith = (...corrections: Correction[]): EvaluationSet =>
  newSet(RUN, { columns: ["text", "team", "urgency"], corrections })
const ROWS = [{ index: 0, line: 2, cells: ["t", "billing", "billing"] }]
const RESULTS: RowResult[] = [
  {
    runId: "run",
    row: 0,
    status: "answered",
    answers: [
      [0.5, 0.5],
      [0.5, 0.5],
    ],
    tokens: 1,
    costUsd: null,
    requestId: null,
    latencyMs: 1,
  },
]

test.each(["team", "urgency"])(
  "a corrected label of %s stays the same outcome in a run with another order",
  (question) => {
    const set = setWith({ question, row: 0, label: 1, outcome: "other" })
    const labelIn = (run: EvaluationRun) => {
      const asked = questionsOf(run.form).find(({ name }) => name === question)
      if (!asked) throw new Error("the form has no such question")
      const [own, { corrections }] = [askedRows(set, ROWS, run), set]
      const answered = { run, results: RESULTS }
      const [judged] = judgedRows(own, RESULTS, corrections, question)
      const [paired] = pairedRows(own, answered, answered, corrections, asked)
      const csv = writeResultsCsv({ ...answered, set, rows: ROWS, asked: own }).split("\r\n")
      return [judged?.label, paired?.label, csv[1]?.split(",")[question === "team" ? 4 : 8]]
    }
    expect(labelIn(RUN)).toEqual([1, 1, '"other"'])
    expect(labelIn(REVERSED)).toEqual([0, 0, '"other"'])
  },
)

test("a correction is ignored in a run without its outcome, and one that leaves a row out is not", () => {
  const corrections = [
    { question: "team", row: 0, label: 1, outcome: "other" },
    { question: "team", row: 1, label: null },
  ]
  expect([...correctedLabels(corrections, "team", ["billing", "shipping"])]).toEqual([[1, null]])
})
