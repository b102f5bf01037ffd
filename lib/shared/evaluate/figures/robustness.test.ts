import { describe, expect, test } from "vitest"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { choice, noul, score } from "@/lib/shared/request-form/examples"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { newRun } from "@/test/scripted-run"
import { type EvaluationRun, type RowResult, variantOf, variantRow } from "../run/evaluation-run"
import { partsOf } from "../run/parts"
import { planRobustness, sampleRows } from "../run/plan-robustness"
import { rowRequests } from "../run/row-requests"
import { ablationOf } from "./ablation"
import { rowVariants } from "./row-variants"
import { stabilityOf } from "./stability"

const TEAMS: [string, string][] = [
  ["billing", "Payments."],
  ["shipping", "Delivery."],
  ["other", "Anything else."],
]

const FORM: RequestForm = {
  model: "alias",
  keyId: "",
  state: asText(""),
  questions: [
    noul("refund", "Money back?", "They ask for it.", "They do not."),
    choice("team", "Which team?", TEAMS),
    score("urgency", "How soon?", ["Later.", "Now."]),
  ],
}

const SET = {
  columns: ["text"],
  source: { format: "csv" as const, name: "rows.csv" },
  mapping: { state: { kind: "column" as const, column: "text" }, labels: [] },
}

const ROWS = [
  { index: 0, line: 2, cells: ["First.\n\nSecond."] },
  { index: 1, line: 4, cells: ["Alone"] },
]

const checking = (robustness: EvaluationRun["robustness"]): EvaluationRun =>
  newRun({ form: FORM, pinnedId: "model-1", mapping: SET.mapping, ...(robustness && { robustness }) })

const bodyOf = (run: EvaluationRun, row: number) => {
  const request = rowRequests(SET, ROWS, run, null)?.(row)
  if (!request) throw new Error("no request")
  return { ...request, state: JSON.parse(request.state), questions: JSON.parse(request.shared.questionsJson) }
}

describe("the parts of a state", () => {
  test("an object is divided into its fields, with numbers, escapes and repeated names as they were", () => {
    expect(partsOf('{"a": 1.0, "b": {"c": "\\u00e9"}, "a": 2}')).toEqual({
      kind: "field",
      parts: [
        { name: "a", rest: '{"b":{"c": "\\u00e9"},"a":2}' },
        { name: "b", rest: '{"a":1.0,"a":2}' },
        { name: "a", rest: '{"a":1.0,"b":{"c": "\\u00e9"}}' },
      ],
    })
  })

  test("an array is divided into its items", () => {
    expect(partsOf('["x", 2]')).toEqual({
      kind: "item",
      parts: [
        { name: "[0]", rest: "[2]" },
        { name: "[1]", rest: '["x"]' },
      ],
    })
  })

  test("a text is divided into paragraphs, else lines, else sentences", () => {
    const parts = (text: string) => {
      const { kind, parts: found } = partsOf(JSON.stringify(text))
      return [kind, ...found.map(({ name, rest }) => [name, JSON.parse(rest)])]
    }
    expect(parts("One.\nStill one.\n\nTwo.")).toEqual([
      "paragraph",
      ["One.\nStill one.", "Two."],
      ["Two.", "One.\nStill one."],
    ])
    expect(parts("One.\nTwo.\n")).toEqual(["line", ["One.", "Two."], ["Two.", "One."]])
    expect(parts("One. Two? Three!")).toEqual([
      "sentence",
      ["One.", "Two? Three!"],
      ["Two?", "One. Three!"],
      ["Three!", "One. Two?"],
    ])
  })

  test("a state with one part is not divided, and many parts are left out a few at a time", () => {
    expect(partsOf('"Alone"').parts).toEqual([])
    expect(partsOf('{"a":1}').parts).toEqual([])
    expect(partsOf('"   "').parts).toEqual([])
    const members = Array.from({ length: 90 }, (_, at) => `"f${at}":${at}`)
    const { parts } = partsOf(`{${members.join(",")}}`)
    expect(parts).toHaveLength(30)
    expect(parts[1]?.name).toBe("f3, f4, f5")
    expect(Object.keys(JSON.parse(parts[1]?.rest ?? ""))).toHaveLength(87)
  })
})

describe("the requests of a run", () => {
  test("an ordinary run asks each row as it is", () => {
    const { state, questions, shared, restore } = bodyOf(checking(undefined), 1)
    expect([state, shared.pinnedId]).toEqual(["Alone", "model-1"])
    expect(Object.keys(questions.team.criteria)).toEqual(["billing", "shipping", "other"])
    expect(restore([[0.25, 0.75], null, [1, 0]])).toEqual([[0.25, 0.75], null, [1, 0]])
    expect(rowRequests(SET, ROWS, checking(undefined), null)?.(9)).toBeNull()
  })

  test("a check asks about the same row in other words, and its answers are restored", () => {
    const run = checking({ kind: "stability", checks: ["repeated", "reversed", "rotated", "swapped"] })
    const [whole, repeated, reversed, rotated, swapped] = [0, 1, 2, 3, 4].map((at) => bodyOf(run, variantRow(0, at)))
    expect(whole?.questions).toEqual(repeated?.questions)
    expect(new Set([whole, reversed, swapped].map((each) => each?.state))).toEqual(new Set(["First.\n\nSecond."]))
    expect(Object.keys(reversed?.questions.team.criteria)).toEqual(["other", "shipping", "billing"])
    expect(Object.keys(rotated?.questions.team.criteria)).toEqual(["other", "billing", "shipping"])
    expect(reversed?.questions.urgency).toEqual(whole?.questions.urgency)
    expect(swapped?.questions.refund).toEqual({
      type: "noul",
      instructions: "Answer yes when the answer to this question is no, and no when it is yes: Money back?",
      criteria: { true: "They do not.", false: "They ask for it." },
    })
    expect(swapped?.restore([[0.25, 0.75], [0.5, 0.25, 0.25], null])).toEqual([[0.75, 0.25], [0.5, 0.25, 0.25], null])
    // Answers are read by the option's name, so the other order changes nothing about how they are read.
    expect(reversed?.shared.questions).toEqual(whole?.shared.questions)
  })

  test("an ablation asks the row without one part", () => {
    const run = checking({ kind: "ablation" })
    expect([0, 1, 2].map((at) => bodyOf(run, variantRow(0, at)).state)).toEqual([
      "First.\n\nSecond.",
      "Second.",
      "First.",
    ])
    expect(rowRequests(SET, ROWS, run, null)?.(variantRow(0, 3))).toBeNull()
  })
})

describe("a plan", () => {
  test("has each row as it is and its variants, without rows that cannot be varied", () => {
    expect(planRobustness(SET, ROWS, { kind: "ablation" }, [0, 1])).toEqual({ rows: [0, 1, 2], leftOut: 1 })
    const plan = planRobustness(SET, ROWS, { kind: "stability", checks: ["repeated", "swapped"] }, [0, 1])
    expect(plan.rows.map((row) => variantOf({ robustness: { kind: "ablation" } }, row))).toEqual([
      { row: 0, variant: 0 },
      { row: 0, variant: 1 },
      { row: 0, variant: 2 },
      { row: 1, variant: 0 },
      { row: 1, variant: 1 },
      { row: 1, variant: 2 },
    ])
    expect(planRobustness(SET, ROWS, { kind: "stability", checks: [] }, [0, 1])).toEqual({ rows: [], leftOut: 2 })
  })

  test("a sample has no row twice and is the same each time", () => {
    const usable = Array.from({ length: 500 }, (_, at) => at * 3)
    const sample = sampleRows(usable, 50)
    expect(new Set(sample).size).toBe(50)
    expect(sample).toEqual(sample.toSorted((a, b) => a - b))
    expect(sampleRows(usable, 50)).toEqual(sample)
    expect(sample.every((row) => usable.includes(row))).toBe(true)
    expect(sampleRows([4, 2], 9)).toEqual([2, 4])
  })
})

const answered = (row: number, answers: (number[] | null)[]): RowResult => ({
  runId: "run",
  row,
  status: "answered",
  answers,
  tokens: 1,
  costUsd: null,
  requestId: null,
  latencyMs: 1,
})

const REST = [
  [0.5, 0.25, 0.25],
  [0.5, 0.5],
]
const yes = (row: number, variant: number, p: number) => answered(variantRow(row, variant), [[1 - p, p], ...REST])

describe("what a robustness check found", () => {
  const stability = checking({ kind: "stability", checks: ["repeated", "swapped"] })

  test("stability counts flips per check and the spread of the row's own answer", () => {
    const results = [yes(0, 0, 0.75), yes(0, 1, 0.75), yes(0, 2, 0.25), yes(1, 0, 0.5), yes(1, 1, 0.625)]
    const rows = rowVariants(SET, ROWS, stability, results, 0)
    expect(rows.map(({ row, line, variants }) => [row, line, variants.length])).toEqual([
      [0, 2, 2],
      [1, 4, 1],
    ])
    const found = stabilityOf("noul", ["repeated", "swapped"], rows)
    expect(found.checks).toEqual([
      { check: "repeated", rows: 2, flips: 0, meanChange: 0.0625, largestChange: 0.125 },
      { check: "swapped", rows: 1, flips: 1, meanChange: 0.5, largestChange: 0.5 },
    ])
    expect(found.rows.map(({ row, answer, flippedBy, spread }) => [row.row, answer, flippedBy, spread])).toEqual([
      [0, 1, ["swapped"], 0.5],
      [1, 1, [], 0.125],
    ])
    expect([found.flipped, found.meanSpread]).toEqual([1, 0.3125])
  })

  test("a check that says nothing about a question is not counted", () => {
    const rows = rowVariants(SET, ROWS, stability, [yes(0, 0, 0.75), yes(0, 1, 0.75), yes(0, 2, 0.25)], 0)
    const found = stabilityOf("noul", ["repeated", null], rows)
    expect([found.checks.map(({ check }) => check), found.flipped, found.meanSpread]).toEqual([["repeated"], 0, 0])
  })

  test("a row without an answer to its whole state is left out", () => {
    expect(rowVariants(SET, ROWS, stability, [yes(0, 1, 0.75)], 0)).toEqual([])
  })

  test("ablation shows what each part adds to the answer, flips first, and fields over all rows", () => {
    const set = { ...SET, source: { format: "jsonl" as const, name: "rows.jsonl" } }
    const rows = [
      { index: 0, line: 1, cells: ['{"subject":"Hi","body":"Refund"}'] },
      { index: 1, line: 2, cells: ['{"subject":"Yo","body":"Money"}'] },
    ]
    const results = [
      ...[yes(0, 0, 0.75), yes(0, 1, 0.875), yes(0, 2, 0.25)],
      ...[yes(1, 0, 0.75), yes(1, 1, 0.75), yes(1, 2, 0.5)],
    ]
    const found = ablationOf("noul", rowVariants(set, rows, checking({ kind: "ablation" }), results, 0))
    expect(found.kind).toBe("field")
    expect(found.parts.map(({ row, name, without, carried }) => [row.line, name, without, carried])).toEqual([
      [1, "body", 0, 0.5],
      [2, "body", 1, 0.25],
      [1, "subject", 1, -0.125],
      [2, "subject", 1, 0],
    ])
    const flipping = [yes(0, 0, 0.5625), yes(0, 1, 0.4375), yes(0, 2, 1)]
    const { parts } = ablationOf("noul", rowVariants(set, rows, checking({ kind: "ablation" }), flipping, 0))
    expect(parts.map(({ name, carried }) => [name, carried])).toEqual([
      ["subject", 0.125],
      ["body", -0.4375],
    ])
    expect(found.fields).toEqual([
      { name: "body", rows: 2, flips: 1, meanCarried: 0.375, meanChange: 0.375 },
      { name: "subject", rows: 2, flips: 0, meanCarried: -0.0625, meanChange: 0.0625 },
    ])
  })
})
