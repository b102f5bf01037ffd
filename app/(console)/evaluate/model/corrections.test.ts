import { expect, test } from "vitest"
import { choice, score } from "@/lib/shared/request-form/examples"
import { newRun, newSet } from "@/test/scripted-run"
import { pairedRows } from "../compare/paired-rows"
import { writeResultsCsv } from "../export/write-results-csv"
import { correctedLabels, nameCorrections } from "./corrections"
import type { EvaluationRun, RowResult } from "./evaluation-run"
import type { Correction, EvaluationSet } from "./evaluation-set"
import { judgedRows } from "./judged-rows"
import { questionsOf } from "./read-rows"

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
      const [judged] = judgedRows(set, run, { rows: ROWS, results: RESULTS }, question)
      const [paired] = pairedRows(set, ROWS, { run, results: RESULTS }, { run, results: RESULTS }, asked)
      const csv = writeResultsCsv({ set, run, rows: ROWS, results: RESULTS }).split("\r\n")
      return [judged?.label, paired?.label, csv[1]?.split(",")[question === "team" ? 4 : 8]]
    }
    expect(labelIn(RUN)).toEqual([1, 1, "other"])
    expect(labelIn(REVERSED)).toEqual([0, 0, "other"])
  },
)

test("a correction is ignored in a run without its outcome, and one that leaves a row out is not", () => {
  const corrections = [
    { question: "team", row: 0, label: 1, outcome: "other" },
    { question: "team", row: 1, label: null },
    // Of an earlier version.
    { question: "team", row: 2, label: 2 },
  ]
  expect([...correctedLabels(corrections, "team", ["billing", "shipping"])]).toEqual([[1, null]])
})

test("a correction of an earlier version gets the name that the set's runs give its index", () => {
  const old = setWith({ question: "team", row: 0, label: 1 }, { question: "team", row: 1, label: null })
  expect(nameCorrections(old, [RUN, newRun()]).corrections).toEqual([
    { question: "team", row: 0, label: 1, outcome: "other" },
    { question: "team", row: 1, label: null },
  ])
})

test("a correction of an earlier version keeps its index where the set's runs disagree or none asked", () => {
  const old = setWith({ question: "team", row: 0, label: 1 })
  expect(nameCorrections(old, [RUN, REVERSED]).corrections).toEqual(old.corrections)
  expect(nameCorrections(old, []).corrections).toEqual(old.corrections)
  expect([...correctedLabels(old.corrections, "team", ["other", "billing"])]).toEqual([[0, 1]])
})
