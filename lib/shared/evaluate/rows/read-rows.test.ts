import { describe, expect, test } from "vitest"
import { readForm } from "@/lib/shared/request-form/read-form"
import type { Columns, DataRow, Mapping, StateMapping } from "./evaluation-set"
import { questionsOf, readRows, stateOf, unknownPlaceholders } from "./read-rows"

const REQUEST = {
  model: "m",
  state: "s",
  questions: {
    refund: { type: "noul", instructions: "Refund?" },
    team: { type: "choice", criteria: { billing: null, other: null } },
  },
}
const read = readForm(JSON.stringify(REQUEST), "")
if (!read.ok) throw new Error(read.message)
const questions = questionsOf(read.form)

const CSV = { columns: ["subject", "body", "refund", "team"], source: { format: "csv", name: "a.csv" } } as const
const JSONL = { columns: ["ticket", "refund"], source: { format: "jsonl", name: "a.jsonl" } } as const
const columnsOf = (set: typeof CSV | typeof JSONL): Columns => ({
  ...set,
  columns: [...set.columns],
})

const row = (...cells: string[]): DataRow => ({ index: 0, line: 2, cells })
const mapped = (state: StateMapping): Mapping => ({
  state,
  labels: [
    { question: "refund", column: "refund", firstLevel: 0 },
    { question: "team", column: "team", firstLevel: 0 },
  ],
})

describe("a row becomes a state", () => {
  const csv = row("Broken", 'It "broke"\non day {{two}}', "yes", "billing")
  test.each<[string, StateMapping, string]>([
    ["a column", { kind: "column", column: "body" }, '"It \\"broke\\"\\non day {{two}}"'],
    [
      "a template, whose values are not expanded again",
      { kind: "template", template: "{{subject}}: {{ body }}" },
      '"Broken: It \\"broke\\"\\non day {{two}}"',
    ],
    [
      "the whole row without its labels",
      { kind: "row", without: [] },
      '{"subject":"Broken","body":"It \\"broke\\"\\non day {{two}}"}',
    ],
    ["the row without a chosen column", { kind: "row", without: ["body"] }, '{"subject":"Broken"}'],
  ])("%s", (_, state, json) => {
    expect(stateOf(columnsOf(CSV), mapped(state), csv)).toBe(json)
  })

  test("JSON keeps its source: numbers, order and escapes", () => {
    const json = row('{"b":1.50,"a":"\\u0041"}', "true")
    const whole = mapped({ kind: "row", without: [] })
    expect(stateOf(columnsOf(JSONL), mapped({ kind: "column", column: "ticket" }), json)).toBe(
      '{"b":1.50,"a":"\\u0041"}',
    )
    expect(stateOf(columnsOf(JSONL), whole, json)).toBe('{"ticket":{"b":1.50,"a":"\\u0041"}}')
    expect(stateOf(columnsOf(JSONL), mapped({ kind: "column", column: "ticket" }), row("12", ""))).toBe('"12"')
  })

  test.each<[string, StateMapping]>([
    ["an empty column", { kind: "column", column: "body" }],
    ["a missing column", { kind: "column", column: "gone" }],
    ["a template whose columns are all empty", { kind: "template", template: "Subject: {{subject}}" }],
    ["a row with nothing but labels", { kind: "row", without: [] }],
  ])("%s is no state", (_, state) => {
    expect(stateOf(columnsOf(CSV), mapped(state), row("", "  ".trim(), "yes", "billing"))).toBeNull()
  })
})

test("rows that cannot be used are listed with their line and the reason", () => {
  const lines = [
    ["A", "first", "yes", "Billing"],
    ["B", "", "no", "other"],
    ["C", "third", "perhaps", "other"],
    ["D", "fourth", "", ""],
    ["E", "fifth", "", "other"],
  ]
  const rows = lines.map((cells, index) => ({ index, line: index + 2, cells }))
  const set = { ...columnsOf(CSV), mapping: mapped({ kind: "column", column: "body" }) }
  expect(readRows(set, rows, questions)).toEqual({
    usable: [
      { index: 0, line: 2, state: '"first"', labels: [1, 0] },
      { index: 4, line: 6, state: '"fifth"', labels: [null, 1] },
    ],
    faults: [
      { line: 3, reason: "The state is empty." },
      { line: 4, reason: "“perhaps” in the column “refund” is not an answer of “refund”." },
      { line: 5, reason: "The row has no label." },
    ],
  })
})

test("without label columns every row with a state can be used", () => {
  const set = { ...columnsOf(CSV), mapping: { ...mapped({ kind: "column", column: "body" }), labels: [] } }
  expect(readRows(set, [row("", "text", "?", "?")], questions).usable).toEqual([
    { index: 0, line: 2, state: '"text"', labels: [null, null] },
  ])
})

test("a template's unknown columns are found", () => {
  expect(unknownPlaceholders("{{body}} {{ Subject }} {{Subject}}", ["body"])).toEqual(["Subject"])
})

test.each([`{{${"\t".repeat(50_000)}x${"\t".repeat(50_000)}`, "{{".repeat(50_000)])(
  "a template of 100,000 characters without an end of its placeholder is read within 1 s",
  (template) => {
    const start = performance.now()
    expect(unknownPlaceholders(template, [])).toEqual([])
    expect(performance.now() - start).toBeLessThan(1_000)
  },
)
