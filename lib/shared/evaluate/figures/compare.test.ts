import { describe, expect, test } from "vitest"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { choice, noul } from "@/lib/shared/request-form/examples"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { pairedDifferences } from "@/lib/shared/statistics/paired"
import { newRun, newSet } from "@/test/scripted-run"
import type { Correction } from "../rows/evaluation-set"
import { questionsOf } from "../rows/read-rows"
import { askedRows } from "../run/asked-rows"
import type { EvaluationRun, RowResult } from "../run/evaluation-run"
import { binaryFigures } from "./binary-figures"
import { acceptedEffect, compareAnswers } from "./comparison"
import { changedRows, pairedAnswers, pairedRows, sharedQuestions } from "./paired-rows"

const FORM: RequestForm = {
  model: "alias",
  keyId: "",
  state: asText(""),
  questions: [
    noul("refund", "Money back?", "", ""),
    choice("team", "Which team?", [
      ["billing", ""],
      ["other", ""],
    ]),
  ],
}

const MAPPING: EvaluationRun["mapping"] = {
  state: { kind: "column", column: "text" },
  labels: [{ question: "refund", column: "refund", firstLevel: 0 }],
}
const ROWS = ["yes", "no", "yes", "no"].map((label, index) => ({ index, line: index + 2, cells: [`t${index}`, label] }))

const run = (id: string, form = FORM): EvaluationRun => newRun({ id, form, mapping: MAPPING })
const answers = (runId: string, yes: number[]): RowResult[] =>
  yes.map((p, row) => ({
    runId,
    row,
    status: "answered",
    answers: [
      [1 - p, p],
      [0.5, 0.5],
    ],
    tokens: 1,
    costUsd: null,
    requestId: null,
    latencyMs: 1,
  }))

const [refund] = questionsOf(FORM)
if (!refund) throw new Error("the form has no question")
const FIRST = { run: run("a"), results: answers("a", [0.75, 0.25, 0.25, 0.75]) }
const SECOND = { run: run("b"), results: answers("b", [0.875, 0.25, 0.75]) }
const SET = newSet(SECOND.run, { columns: ["text", "refund"] })
const paired = (corrections: Correction[] = []) =>
  pairedRows(askedRows(SET, ROWS, SECOND.run), FIRST, SECOND, corrections, refund)

describe("two runs of a set", () => {
  test("share the questions with the same name, type and outcomes, whatever their wording", () => {
    const other: RequestForm = {
      ...FORM,
      questions: [
        noul("refund", "Do they want money back?", "", ""),
        choice("team", "Which team?", [
          ["billing", ""],
          ["shipping", ""],
        ]),
      ],
    }
    expect(sharedQuestions(run("a"), run("b")).map(({ name }) => name)).toEqual(["refund", "team"])
    expect(sharedQuestions(run("a"), run("b", other)).map(({ name }) => name)).toEqual(["refund"])
  })

  test("are paired by row, where both have an answer, with corrected labels", () => {
    expect(paired().map(({ row, label, first, second }) => [row, label, first[1], second[1]])).toEqual([
      [0, 1, 0.75, 0.875],
      [1, 0, 0.25, 0.25],
      [2, 1, 0.25, 0.75],
    ])
    const corrections = [
      { question: "refund", row: 1, label: 1, outcome: "yes" },
      { question: "refund", row: 2, label: null },
    ]
    expect(paired(corrections).map(({ label }) => label)).toEqual([1, 1, null])
  })

  test("count one row of each group, the same in both", () => {
    const grouped = newSet(SECOND.run, {
      columns: ["text", "refund", "customer"],
      mapping: { ...MAPPING, group: "customer" },
    })
    const rows = ROWS.map((row, at) => ({ ...row, cells: [...row.cells, at < 2 ? "same" : `c${at}`] }))
    const pairs = pairedRows(askedRows(grouped, rows, SECOND.run), FIRST, SECOND, [], refund)
    const { first, second } = pairedAnswers(refund, pairs)
    expect(pairs).toHaveLength(3)
    expect([first.labels.length, second.labels.length]).toEqual([2, 2])
    const places = first.probabilities.map(([, yes]) => yes)
    expect([places[1], [0.75, 0.25].includes(places[0] ?? 0)]).toEqual([0.25, true])
    expect(second.probabilities[0]?.[1]).toBe(places[0] === 0.75 ? 0.875 : 0.25)
  })

  test("have their figures subtracted, and their right answers compared", () => {
    const { right, rows, lines } = compareAnswers("noul", pairedAnswers(refund, paired()))
    expect([rows, right]).toEqual([3, { bothRight: 2, onlyFirst: 0, onlySecond: 1, bothWrong: 0, p: 1 }])
    const [brier, , , , accuracy] = lines({
      "Brier score": { low: -0.3, high: -0.1 },
      "Accuracy at 0.5": { low: 0, high: 1 },
    })
    expect(brier).toEqual({
      name: "Brier score",
      first: "0.229",
      second: "0.047",
      difference: "−0.182",
      interval: "−0.300 to −0.100",
      meaning: "The second run is better.",
    })
    expect(accuracy).toMatchObject({
      first: "66.7%",
      second: "100.0%",
      difference: "+33.3%",
      meaning: "No clear difference.",
    })
  })

  test("of one labelled row are not called better or worse", () => {
    const { first, second } = pairedAnswers(refund, paired().slice(2))
    const { right, rows, lines } = compareAnswers("noul", { first, second })
    expect([rows, right.p]).toEqual([1, 1])
    const [one, other] = [first, second].map((each) =>
      Object.fromEntries(
        binaryFigures.compared(binaryFigures.read(each)).map(({ name, statistic }) => [name, statistic]),
      ),
    )
    const differences = pairedDifferences(rows, one ?? {}, other ?? {}, { seed: 1, replicates: 500 })
    const intervals = Object.fromEntries(Object.entries(differences).map(([name, { interval }]) => [name, interval]))
    expect(
      lines(intervals).map(({ name, difference, interval, meaning }) => [name, difference, interval, meaning]),
    ).toEqual([
      ["Brier score", "−0.500", null, "The rows are too few or too alike to rule out chance."],
      ["Log loss", "−1.099", null, "The rows are too few or too alike to rule out chance."],
      ["Calibration error (ECE)", "−50.0%", null, "The rows are too few or too alike to rule out chance."],
      ["ROC AUC", "–", null, "It has no value."],
      ["Accuracy at 0.5", "+100.0%", null, "The rows are too few or too alike to rule out chance."],
    ])
    expect(lines({ "Brier score": undefined })[0]?.meaning).toBe("…")
    expect(lines(null)[0]).toMatchObject({ interval: null, meaning: "Not known without the interval." })
  })

  test("list flipped answers first, then the largest changes", () => {
    expect(
      changedRows(refund, paired()).map(({ row, before, after, change }) => [row.row, before, after, change]),
    ).toEqual([
      [2, 0, 1, 0.5],
      [0, 1, 1, 0.125],
      [1, 0, 0, 0],
    ])
  })

  test("list a small change that flips before a large one that does not", () => {
    const row = { line: 2, state: '"t"', label: null }
    const changed = changedRows(refund, [
      { ...row, row: 0, group: 0, first: [0.4375, 0.5625], second: [0, 1] },
      { ...row, row: 1, group: 1, first: [0.4375, 0.5625], second: [0.5625, 0.4375] },
    ])
    expect(changed.map(({ row: { row: at }, change }) => [at, change])).toEqual([
      [1, 0.125],
      [0, 0.4375],
    ])
  })

  test("an accepted band is counted on the answers of each run", () => {
    const { first, second } = pairedAnswers(refund, paired())
    const band = { low: 0.3, high: 0.8 }
    expect(acceptedEffect("noul", first, band)).toMatchObject({ rows: 3, automatic: 2, wrong: 1 })
    expect(acceptedEffect("noul", second, band)).toMatchObject({ rows: 3, automatic: 2, wrong: 0 })
  })
})
