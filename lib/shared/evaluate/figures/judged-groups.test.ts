import { expect, test } from "vitest"
import { noul } from "@/lib/shared/request-form/examples"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json"
import { newRun, newSet } from "@/test/scripted-run"
import { writeResultsCsv } from "../export/write-results-csv"
import type { Correction, DataRow } from "../rows/evaluation-set"
import { groupRows, onePerGroup } from "../rows/group-rows"
import { askedRows } from "../run/asked-rows"
import type { RowResult } from "../run/evaluation-run"
import { groupsText, judgedGroups, judgedRows } from "./judged-rows"

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
    "40 rows are in 10 groups of rows that belong together. One row of each group counts, drawn by seed 1, because only these are independent. Of the other 30 rows, 17 are right.",
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

test("the reference set of five options has 142 groups, and one row of each counts", () => {
  const groups = groupRows(
    choice.group.map((_, row) => `state ${row}`),
    choice.group,
  )
  expect([groups.length, new Set(groups).size, onePerGroup(groups).length]).toEqual([300, 142, 142])
})
