import { describe, expect, test } from "vitest"
import { choice, noul } from "@/lib/shared/request-form/examples"
import REFERENCE from "@/lib/shared/statistics/fixture/ref-choice-5.json"
import { newRun, newSet } from "@/test/scripted-run"
import { writeResultsCsv } from "../export/write-results-csv"
import type { Correction, DataRow } from "../rows/evaluation-set"
import { askedRows } from "../run/asked-rows"
import type { RowResult } from "../run/evaluation-run"
import { automatableThreshold, CHOICE_RULE } from "./automate-threshold"
import { FIRST_GOAL } from "./automation"
import { groupsText, judgedGroups, judgedRows } from "./judged-rows"

const OPTIONS = REFERENCE.options
const RUN = newRun({
  form: { ...newRun().form, questions: [noul("refund", "Refund?", "", "")] },
  mapping: {
    state: { kind: "column", column: "text" },
    labels: [{ question: "refund", column: "refund", firstLevel: 0 }],
  },
})
const setWith = (group?: string) =>
  newSet(RUN, { columns: ["text", "refund", "customer"], mapping: { ...RUN.mapping, ...(group && { group }) } })

const rowsOf = (cells: string[][]): DataRow[] => cells.map((each, index) => ({ index, line: index + 2, cells: each }))
const answer = (row: number, yes: number): RowResult => ({
  runId: "run",
  row,
  status: "answered",
  answers: [[1 - yes, yes]],
  tokens: 7,
  costUsd: "0.000001000000",
  requestId: "r",
  latencyMs: 3,
})

const CELLS = Array.from({ length: 40 }, (_, at) => [`text ${at}`, at % 3 ? "yes" : "no", `c${at % 10}`])
const yesOf = (at: number) => ((at * 7) % 11) / 11
const shown = (rows: { label: number; probabilities: number[] }[]) =>
  rows.map(({ label, probabilities }) => `${label} ${probabilities[1]}`).sort()

test("five copies of each row, asked once, count as the row without copies", () => {
  const once = judgedRows(
    askedRows(setWith(), rowsOf(CELLS), RUN),
    CELLS.map((_, at) => answer(at, yesOf(at))),
    [],
    "refund",
  )
  const copies = rowsOf([...CELLS, ...CELLS, ...CELLS, ...CELLS, ...CELLS])
  const results = CELLS.map((_, at) => answer(at, yesOf(at)))
  const { judged, others } = judgedGroups(askedRows(setWith(), copies, RUN), results, [], "refund")
  expect(shown(judged)).toEqual(shown(once))
  expect([once.length, judged.length, others.length]).toEqual([40, 40, 160])
})

test("one row of each group counts, and corrections change neither the draw nor what the others are", () => {
  const asked = askedRows(setWith("customer"), rowsOf(CELLS), RUN)
  const results = CELLS.map((_, at) => answer(at, yesOf(at)))
  const { judged, others } = judgedGroups(asked, results, [], "refund")
  expect(judged.map(({ row }) => row % 10).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(others).toHaveLength(30)
  const corrections: Correction[] = judged.map(({ row }) => ({ question: "refund", row, label: null }))
  const left = judgedGroups(asked, results, corrections, "refund")
  expect([left.judged.length, left.others.length]).toEqual([0, 30])
  expect(groupsText("noul", { judged, others })).toBe(
    "40 rows are in 10 groups of rows that belong together. One row of each group counts, drawn by seed 2, because only these are independent. Of the other 30 rows, 16 are right.",
  )
  expect(groupsText("noul", { judged, others: [] })).toBeNull()
})

test("a row that failed has no answer of a copy, and a copy of it has none either", () => {
  const cells = [
    ["same", "yes", ""],
    ["same", "yes", ""],
    ["other", "no", ""],
  ]
  const failed: RowResult = { runId: "run", row: 0, status: "failed", code: "x", message: "X.", requestId: null }
  const asked = askedRows(setWith(), rowsOf(cells), RUN)
  expect(judgedRows(asked, [failed, answer(2, 0.1)], [], "refund").map(({ row }) => row)).toEqual([2])
})

test("the results as CSV give a copy the answer of its original, and its cost only once", () => {
  const rows = rowsOf([
    ["same", "yes", ""],
    ["other", "no", ""],
    ["same", "no", ""],
  ])
  const set = setWith()
  const results = [answer(0, 0.75), answer(1, 0.25)]
  const csv = writeResultsCsv({ set, run: RUN, rows, results, asked: askedRows(set, rows, RUN) })
  expect(
    csv
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",").slice(4).join(" ")),
  ).toEqual([
    '"yes" "yes" 0.25 0.75 "answered" 7 "0.000001000000" "r" ',
    '"no" "no" 0.75 0.25 "answered" 7 "0.000001000000" "r" ',
    '"no" "yes" 0.25 0.75 "copy_of_line_2"    ',
  ])
})

describe("the reference set of five options", () => {
  const COLUMNS = { columns: ["text", "label", "customer"], source: { format: "csv" as const, name: "rows.csv" } }
  const form = {
    ...newRun().form,
    questions: [
      choice(
        "team",
        "Which team?",
        OPTIONS.map((name) => [name, ""]),
      ),
    ],
  }
  const mapping = {
    state: { kind: "column" as const, column: "text" },
    labels: [{ question: "team", column: "label", firstLevel: 0 as const }],
    group: "customer",
  }
  const run = newRun({ form, mapping })
  const set = newSet(run, { ...COLUMNS, mapping })
  const cellsOf = (row: number) => [`text ${row}`, OPTIONS[REFERENCE.y[row] ?? 0] ?? "", REFERENCE.group[row] ?? ""]
  const resultOf = (row: number, source = row): RowResult => ({ ...answer(row, 0), ...answersOfRow(source) })
  const answersOfRow = (row: number) => ({ answers: [REFERENCE.P[row] ?? []] })
  const asRows = (judged: { label: number; probabilities: number[] }[]) => ({
    names: OPTIONS,
    labels: Uint8Array.from(judged, ({ label }) => label),
    probabilities: judged.map(({ probabilities }) => probabilities),
    isCheck: Uint8Array.from(judged, (_, at) => at % 2),
  })
  const claimsOf = (judged: { label: number; probabilities: number[] }[], target: number) =>
    automatableThreshold(asRows(judged), CHOICE_RULE).find({ ...FIRST_GOAL, target })

  test("has 142 groups, and the claim counts one row of each", () => {
    const cells = REFERENCE.y.map((_, row) => cellsOf(row))
    const groups = judgedGroups(
      askedRows(set, rowsOf(cells), run),
      cells.map((_, row) => resultOf(row)),
      [],
      "team",
    )
    expect(groupsText("choice", groups)).toBe(
      "300 rows are in 142 groups of rows that belong together. One row of each group counts, drawn by seed 2, because only these are independent. Of the other 158 rows, 138 are right.",
    )
    // Computed from the drawn rows by the method's reference code.
    expect(claimsOf(groups.judged, 0.1).automation?.claims).toEqual([
      { subject: "all", target: 0.1, method: "walk", automatic: 124, wrong: 5 },
    ])
    expect(claimsOf(groups.judged, 0.05)).toMatchObject({ automation: null, unproved: [{ rows: 142, needed: 72 }] })
  })

  test("with each row five times, one state and one answer for all of these, has the claims of the set without copies", () => {
    const plain = { ...set, mapping: { ...mapping, group: undefined } }
    const cells = REFERENCE.y.map((_, row) => cellsOf(row))
    const copies = [cells, cells, cells, cells, cells].flat()
    const claims = [cells, copies].map((each) => {
      const asked = askedRows(plain, rowsOf(each), { ...run, mapping: plain.mapping })
      const { judged } = judgedGroups(
        asked,
        cells.map((_, row) => resultOf(row)),
        [],
        "team",
      )
      return [0.05, 0.1].map((target) => claimsOf(judged, target).automation?.claims)
    })
    expect(claims[1]).toEqual(claims[0])
    expect(claims[0]).toEqual([
      [{ subject: "all", target: 0.05, method: "walk", automatic: 221, wrong: 4 }],
      [{ subject: "all", target: 0.1, method: "walk", automatic: 276, wrong: 17 }],
    ])
  })

  test("with each row five times, answered apart but in one group, has the claims of the set without copies", () => {
    const times = [0, 1, 2, 3, 4]
    const cells = times.flatMap((time) =>
      REFERENCE.y.map((_, row) => [`text ${row}, time ${time}`, ...cellsOf(row).slice(1, 2), `group of ${row}`]),
    )
    const { judged, others } = judgedGroups(
      askedRows(set, rowsOf(cells), run),
      cells.map((_, row) => resultOf(row, row % REFERENCE.y.length)),
      [],
      "team",
    )
    expect([judged.length, others.length]).toEqual([300, 1_200])
    expect(claimsOf(judged, 0.05).automation?.claims).toEqual([
      { subject: "all", target: 0.05, method: "walk", automatic: 221, wrong: 4 },
    ])
  })
})
