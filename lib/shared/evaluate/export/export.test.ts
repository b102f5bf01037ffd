import { expect, test } from "vitest"
import { readForm } from "@/lib/shared/request-form/read-form"
import { newRun, newSet } from "@/test/scripted-run"
import { askedRows } from "../run/asked-rows"
import { type EvaluationRun, NO_TOTALS, type RowResult } from "../run/evaluation-run"
import { rowsMark } from "./acceptance-of"
import { judgedQuestions, type RunData } from "./judged-questions"
import { testInputOf } from "./test-input"
import { writeReport } from "./write-report"
import { writeResultsCsv } from "./write-results-csv"

const read = readForm(
  '{"model":"svc-decider-latest","state":"s","questions":{"refund":{"type":"noul","instructions":"Refund?"},"mood":{"type":"score","criteria":["calm","angry"]}}}',
  "",
)
if (!read.ok) throw new Error(read.message)

const MAPPING: EvaluationRun["mapping"] = {
  state: { kind: "column", column: "text" },
  labels: [
    { question: "refund", column: "refund", firstLevel: 0 },
    { question: "mood", column: "mood", firstLevel: 0 },
  ],
}

const ROWS = [
  ["=HYPERLINK(1)", "yes", "1"],
  ['He said "no"', "no", ""],
  ["Where is it?", "no", "0"],
  ["", "no", "0"],
].map((cells, index) => ({ index, line: index + 2, cells }))

const answered = (row: number, yes: number, angry: number): RowResult => ({
  runId: "run",
  row,
  status: "answered",
  answers: [
    [1 - yes, yes],
    [1 - angry, angry],
  ],
  tokens: 10,
  costUsd: "0.000010000000",
  requestId: `req_${row}`,
  latencyMs: 5,
})

const RESULTS: RowResult[] = [
  answered(0, 0.75, 0.75),
  answered(1, 0.5, 0.25),
  { runId: "run", row: 2, status: "failed", code: "upstream_error", message: "Failed.", requestId: null },
]

const RUN = newRun({
  startedAt: "2026-11-22T10:01:00Z",
  status: "finished",
  form: read.form,
  pinnedId: "svc-lexical-baseline-1",
  mapping: MAPPING,
  rowCount: 3,
  totals: { ...NO_TOTALS, answered: 2, failed: 1, tokens: 20, costUsd: "0.000020000000" },
  acceptances: [
    {
      question: "refund",
      band: { low: 0.2, high: 0.6 },
      minAccuracy: 0.9,
      maxWrongOfAutomatic: 0.02,
      minAutomatic: 0.5,
      maxMeanError: null,
    },
  ],
})
const SET = newSet(RUN, {
  name: "Tickets | 2026",
  source: { format: "csv", name: "tickets.csv" },
  columns: ["text", "refund", "mood"],
  corrections: [{ question: "refund", row: 1, label: 1, outcome: "yes" }],
})

const DATA: RunData = { set: SET, run: RUN, rows: ROWS, results: RESULTS, asked: askedRows(SET, ROWS, RUN) }

test("the CSV of results has every row, corrected labels, exact costs and no formula", () => {
  expect(writeResultsCsv(DATA).split("\r\n")).toEqual([
    '"line","text","refund","mood","refund.label","refund.answer","refund.p(no)","refund.p(yes)","mood.label","mood.answer","mood.p(calm)","mood.p(angry)","status","tokens","cost_usd","request_id","error"',
    `2,"'=HYPERLINK(1)","yes","1","yes","yes",0.25,0.75,"angry","angry",0.25,0.75,"answered",10,"0.000010000000","req_0",`,
    '3,"He said ""no""","no","","yes","yes",0.5,0.5,,"calm",0.75,0.25,"answered",10,"0.000010000000","req_1",',
    '4,"Where is it?","no","0","no",,,,"calm",,,,"failed",,,,"upstream_error"',
    '5,"","no","0",,,,,,,,,"not_sent",,,,',
    "",
  ])
})

test("the CSV of results keeps a negative number and escapes a formula with a full-width sign", () => {
  const rows = [{ index: 0, line: 2, cells: [" =HYPERLINK(1)", "＝HYPERLINK(1)", "-5"] }]
  expect(writeResultsCsv({ ...DATA, rows }).split("\r\n")[1]).toMatch(
    /^2,"' =HYPERLINK\(1\)","'＝HYPERLINK\(1\)","-5",/,
  )
})

test("the report says what keeps the claims of an accepted rule from being confirmed", () => {
  const claim = { subject: "yes" as const, target: 0.02, method: "walk" as const, automatic: 2, wrong: 0 }
  const linesWith = (doubts: string[], mark: string) => {
    const proof = {
      acceptedAt: "2026-11-28T10:00:00.000Z",
      doubts,
      mark,
      rows: 2,
      risk: 0.05,
      seed: 2,
      claims: [claim],
    }
    const acceptances = RUN.acceptances.map((acceptance) => ({ ...acceptance, proof }))
    return writeReport({ ...DATA, run: { ...RUN, acceptances } }).split("\n")
  }
  const mark = rowsMark({ rows: judgedQuestions(DATA)[0]?.judged ?? [] })
  const [claimed, doubtful] = [
    "- At most 2.0% of the automatic yes are wrong (95% confidence). 0 of 2 are wrong.",
    "- Not confirmed",
  ]
  const confirmed = linesWith([], mark)
  expect(confirmed).toContain(claimed)
  expect(confirmed.filter((line) => line.startsWith(doubtful))).toEqual([])
  expect(linesWith(["There are too few labelled answers."], "changed")).toContain(
    "- Not confirmed, do not rely on it yet. The rows or their labels have changed since the rule was accepted. There are too few labelled answers.",
  )
})

test("the report states model, cost, accuracy with its interval, and what was accepted", () => {
  expect(writeReport(DATA).split("\n").filter(Boolean)).toEqual([
    "# Evaluation of Tickets | 2026",
    "| Fact | Value |",
    "| --- | --- |",
    "| Model | svc-lexical-baseline-1, asked for as svc-decider-latest |",
    "| Rows | 2 answered of 3, from tickets.csv |",
    "| Failed | 1 |",
    "| Cost | $0.00002 for 20 tokens |",
    "| Started | 22 Nov 2026, 10:01 UTC |",
    "| Corrections | refund: 1 label corrected, towards the model |",
    "Probabilities of different models are not comparable: these figures are for this model only, and for rows like these.",
    "## refund",
    "100.0% of 2 rows are right (95 % interval 34.2% to 100.0%). Always answering the most frequent label would be right in 100.0%.",
    "| Label \\\\ answer | no | yes |",
    "| --- | --- | --- |",
    "| no | 0 | 0 |",
    "| yes | 0 | 2 |",
    "Accepted figures:",
    "- Threshold: automatic no below 0.2 and yes from 0.6 up, by the probability of yes",
    "- Accuracy of at least 90.0%",
    "- At most 2.0% of the automatic answers wrong",
    "- At least 50.0% answered automatically",
    "## mood",
    "100.0% of 1 row is right (95 % interval 20.7% to 100.0%). Always answering the most frequent label would be right in 100.0%.",
    "| Label \\\\ answer | calm | angry |",
    "| --- | --- | --- |",
    "| calm | 0 | 0 |",
    "| angry | 0 | 1 |",
    "Suggested figures:",
    "- Accuracy of at least 20.0%",
  ])
})

test("the report compares the values of the chosen column, with 20 rows of each, and not by the column of the right answers", () => {
  const rows = Array.from({ length: 60 }, (_, index) => {
    const channel = index < 40 ? ["Phone", "phone "][index % 2] : index < 59 ? "web" : ""
    return { index, line: index + 2, cells: [`Message ${index}`, "yes", "1", channel ?? ""] }
  })
  const results = rows.map(({ index }): RowResult => {
    const yes = index < 10 ? 0.1 : 0.9
    const answers = [
      [1 - yes, yes],
      [0.1, 0.9],
    ]
    return {
      runId: "run",
      row: index,
      status: "answered",
      answers,
      tokens: 1,
      costUsd: null,
      requestId: null,
      latencyMs: 1,
    }
  })
  const slicesWith = (sliceColumn?: string) => {
    const set = { ...SET, columns: [...SET.columns, "channel"], corrections: [], sliceColumn }
    const lines = writeReport({ ...DATA, set, rows, results, asked: askedRows(set, rows, RUN) }).split("\n")
    return lines.filter((line, at) => /^(###|\| Phone|\| web)/.test(line) || lines[at - 6]?.startsWith("###"))
  }
  expect(slicesWith("channel").slice(0, 3)).toEqual([
    "### By channel",
    "| Phone | 40 | 10 (25.0%, 14.2% to 40.2%) | Wrong more often (q = 0.011) | Not enough rows |",
    "The target is not shown for any value by itself. 20 rows have no value, one with fewer than 20 rows or one longer than 200 characters. No claim is about them. “Wrong more often” comes from Fisher’s exact test against all other rows, one-sided. Of the values marked so, about one in ten at most is marked by chance (Benjamini–Hochberg, q ≤ 0.10). Each column that you try is another test on the same rows. Confirm what you find with rows that were not used here. Rely on claims for single values only where the accepted figures are confirmed.",
  ])
  expect(slicesWith("refund").filter((line) => line === "### By refund")).toHaveLength(1)
  expect(slicesWith()).toEqual([])
})

test("the report states a mean error of one level in the singular, and others in the plural", () => {
  const levelsOf = (maxMeanError: number) => {
    const acceptances = RUN.acceptances.map((each) => ({ ...each, maxMeanError }))
    return writeReport({ ...DATA, run: { ...RUN, acceptances } }).match(/- A mean error .*/)?.[0]
  }
  expect(levelsOf(1)).toBe("- A mean error of at most 1 level")
  expect(levelsOf(0.5)).toBe("- A mean error of at most 0.5 levels")
})

test("the exported test gets the chosen alias, the labelled rows and the accepted figures", () => {
  expect(testInputOf(DATA, "https://api.example.com")).toEqual({
    model: "svc-decider-latest",
    pinnedId: "svc-lexical-baseline-1",
    questionsJson: expect.stringContaining('"refund"'),
    outcomes: [
      ["no", "yes"],
      ["0", "1"],
    ],
    checks: [
      { ...RUN.acceptances[0], type: "noul", claims: [] },
      {
        question: "mood",
        type: "score",
        band: null,
        minAccuracy: 0.2,
        maxWrongOfAutomatic: null,
        minAutomatic: null,
        maxMeanError: null,
        claims: [],
      },
    ],
    rows: [
      {
        ...{ line: 2, state: '"=HYPERLINK(1)"', labels: [1, 1], checking: [expect.any(Number), expect.any(Number)] },
        answers: [
          [0.25, 0.75],
          [0.25, 0.75],
        ],
      },
      {
        line: 3,
        state: '"He said \\"no\\""',
        labels: [1, null],
        checking: [expect.any(Number), expect.any(Number)],
        answers: [[0.5, 0.5], null],
      },
    ],
    baseUrl: "https://api.example.com",
  })
})

test("a question without labelled answers is in no exported test, even with accepted figures", () => {
  const without = (question: string, row: number) => ({ question, row, label: null })
  const corrections = [without("refund", 0), without("refund", 1)]
  const input = (more: typeof corrections) =>
    testInputOf({ ...DATA, set: { ...SET, corrections: [...corrections, ...more] } }, "https://api.example.com")
  expect(input([])?.checks.map(({ question }) => question)).toEqual(["mood"])
  expect(input([without("mood", 0)])).toBeNull()
})
