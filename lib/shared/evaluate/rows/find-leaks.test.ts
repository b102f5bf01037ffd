import { expect, test } from "vitest"
import { choice, noul } from "@/lib/shared/request-form/examples"
import { newRun, newSet } from "@/test/scripted-run"
import type { DataRow, EvaluationSet, StateMapping } from "./evaluation-set"
import { questionsOf } from "./read-rows"
import { type RowSummary, summarizeRows } from "./summarize-rows"

const TEAMS = ["billing", "shipping", "product"]
const FORM = {
  ...newRun().form,
  questions: [
    choice(
      "team",
      "Which team?",
      TEAMS.map((name) => [name, ""]),
    ),
    noul("refund", "Refund?", "", ""),
  ],
}
const COLUMNS = ["text", "queue", "noise", "team", "refund"]

function summaryOf(cells: (at: number) => string[], state: StateMapping, rowCount = 90, group?: string): RowSummary {
  const rows = Array.from(
    { length: rowCount },
    (_, index): DataRow => ({ index, line: index + 2, cells: cells(index) }),
  )
  const labels = ["team", "refund"].map((name) => ({ question: name, column: name, firstLevel: 0 as const }))
  const mapping: EvaluationSet["mapping"] = { state, labels, ...(group && { group }) }
  const set = newSet(newRun({ form: FORM, mapping }), { columns: COLUMNS })
  const reading = summarizeRows(set, rows, questionsOf(FORM))
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

const team = (at: number) => TEAMS[at % 3] ?? ""
// The pseudo-random column has nothing to do with the labels.
const cells = (at: number) => [`Text ${at}`, `Q${at % 3}`, `n${(at * 7) % 4}`, team(at), at % 5 < 2 ? "yes" : "no"]
const TEXT = { kind: "column", column: "text" } as const
const ROW: StateMapping = { kind: "row", without: [] }

test("a column that determines a label is named, with whether the model reads it", () => {
  expect(summaryOf(cells, TEXT).leaks).toEqual([{ kind: "column", question: "team", column: "queue", isRead: false }])
  expect(summaryOf(cells, ROW).leaks).toEqual([{ kind: "column", question: "team", column: "queue", isRead: true }])
})

test("one exception in a hundred hides no leak, and three in ninety do", () => {
  const except = (count: number) => (at: number) => cells(at).with(1, at < count ? "Q9" : `Q${at % 3}`)
  expect(summaryOf(except(2), TEXT, 300).leaks).toHaveLength(1)
  expect(summaryOf(except(3), TEXT, 90).leaks).toEqual([])
})

test("a column of different values determines nothing, and few rows prove nothing", () => {
  const different = (at: number) => cells(at).with(1, `id ${at}`)
  expect(summaryOf(different, TEXT).leaks).toEqual([])
  expect(summaryOf(cells, TEXT, 19).leaks).toEqual([])
})

test("a label inside the state is named, unless other labels are there as well or it is a part of a word", () => {
  const withState = (text: (at: number) => string) =>
    summaryOf((at) => cells(at).with(0, text(at)).with(1, ""), TEXT).leaks
  expect(withState((at) => `Case ${at}, routed to ${team(at).toUpperCase()}.`)).toEqual([
    { kind: "state", question: "team", share: 1 },
  ])
  expect(withState((at) => `Case ${at} for billing, shipping or product`)).toEqual([])
  expect(withState((at) => `Case ${at} pre${team(at)}`)).toEqual([])
})

test("a label that every row has gives nothing away, also when the state contains it", () => {
  const same = (at: number) => [`Case ${at} for billing`, "", "", "billing", at % 5 < 2 ? "yes" : "no"]
  expect(summaryOf(same, TEXT).leaks).toEqual([])
})

test("a summary counts different states, groups, and copies with different labels", () => {
  const copied = (at: number) =>
    cells(at % 60)
      .with(2, `customer ${at % 20}`)
      .with(4, at === 70 ? "maybe" : "no")
  const { usable, distinct, stateBytes, groups, conflicts } = summaryOf(copied, TEXT)
  expect([usable.length, distinct.length, stateBytes.length, groups, conflicts]).toEqual([89, 60, 60, 60, 0])
  expect(summaryOf(copied, TEXT, 90, "noise").groups).toBe(20)
  const conflicting = (at: number) => cells(at % 60).with(4, at < 60 ? "no" : "yes")
  expect(summaryOf(conflicting, TEXT).conflicts).toBe(30)
})
