import { expect, test } from "vitest"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json"
import { stratifiedHalves } from "@/lib/shared/statistics/halves"
import type { CheckedQuestion } from "@/questions/question-types"
import { acceptedRun } from "@/test/accepted-run"
import { automatableThreshold, CHOICE_RULE } from "../figures/automate-threshold"
import { automatableBand } from "../figures/automate-yes-no"
import { FIRST_GOAL, type Goal } from "../figures/automation"
import { acceptanceOf, rowsMark, shareWithRoom } from "./acceptance-of"

function judgedOf(names: string[], probabilities: number[][], labels: number[]) {
  const rows = labels.map((label, row) => ({
    ...{ row, line: row + 2, state: String(row), label, isCorrected: false },
    probabilities: probabilities[row] ?? [],
  }))
  return { names, probabilities, rows, labels: Uint8Array.from(labels), isCheck: new Uint8Array(labels.length) }
}

/** 400 rows. The first ones are a sure yes, `wrong` of them wrongly. The rest is undecided. */
function rowsOf(sure: number, wrong = 0) {
  const labels = Uint8Array.from({ length: 400 }, (_, row) => (row < sure ? Number(row >= wrong) : row % 2))
  const isCheck = new Uint8Array(400)
  for (const row of stratifiedHalves(labels, 1).check) isCheck[row] = 1
  const probabilities = Array.from({ length: 400 }, (_, row) => (row < sure ? [0.1, 0.9] : [0.5, 0.5]))
  return { ...judgedOf(["no", "yes"], probabilities, [...labels]), isCheck }
}

const DETAILS = { acceptedAt: "2026-11-28T10:00:00.000Z", doubts: ["There are too few labelled answers."] }
const REFUND: CheckedQuestion = { type: "noul", name: "refund", instructions: null, criteria: null }

function accepted(
  rows: ReturnType<typeof rowsOf>,
  goal: Goal = { ...FIRST_GOAL, kind: "sides", targets: { yes: 0.05, no: 0.05 } },
) {
  const { automation } = automatableBand(rows).find(goal)
  if (!automation) throw new Error("no band reaches the target")
  return acceptanceOf(REFUND, automation, rows, DETAILS)
}

test("what is accepted is the rule, its targets, and a share that leaves room for chance", () => {
  // 205 of 400 are 51.3%. Their interval begins at 46.4%.
  expect(accepted(rowsOf(205, 3))).toMatchObject({
    question: "refund",
    band: { low: null, high: 0.7 },
    maxWrongOfYes: 0.05,
    maxWrongOfNo: null,
    minAutomatic: 0.46,
    maxMeanError: null,
  })
})

test("an accepted rule for scores limits the mean error too, with room for chance", () => {
  const { acceptances } = acceptedRun().run
  // The mean error of the 200 scores is 0.535 levels. The end of its interval is rounded up.
  expect(acceptances.map(({ question, maxMeanError }) => [question, maxMeanError])).toEqual([
    ["refund", null],
    ["team", null],
    ["anger", 0.6],
  ])
})

test("what is accepted for single options is a threshold for each, with a claim of its own", () => {
  const rows = judgedOf(choice.options, choice.P, choice.y)
  const { automation } = automatableThreshold(rows, CHOICE_RULE).find({ ...FIRST_GOAL, kind: "options", target: 0.1 })
  if (!automation) throw new Error("no option reaches the target")
  expect(acceptanceOf(REFUND, automation, rows, DETAILS)).toMatchObject({
    band: null,
    maxWrongOfOption: 0.1,
    maxWrongOfAutomatic: null,
    minAutomatic: 0.26,
    proof: {
      claims: [
        { subject: "option", option: "abuse", target: 0.1, method: "walk", automatic: 48, wrong: 0 },
        { subject: "option", option: "other", target: 0.1, method: "walk", automatic: 45, wrong: 0 },
      ],
    },
  })
})

test("what is accepted keeps its claims, their rows, the risk and the seed", () => {
  expect(accepted(rowsOf(205, 3)).proof).toEqual({
    ...DETAILS,
    mark: rowsMark(rowsOf(205, 3)),
    rows: 400,
    risk: 0.05,
    seed: 2,
    claims: [{ subject: "yes", target: 0.05, method: "walk", automatic: 205, wrong: 3 }],
  })
})

test("after costs, the accepted share of mistakes is one that both halves together meet with room for chance", () => {
  const costs: Goal = { ...FIRST_GOAL, kind: "costs", costs: { falseYes: 10, falseNo: 10, review: 1 } }
  expect(accepted(rowsOf(205, 3), costs).maxWrongOfAutomatic).toBeGreaterThan(0.0373)
})

test("a mark changes with a label and with a row, and with nothing else", () => {
  const row = (at: number, label: number) => ({
    row: at,
    line: at,
    state: "s",
    label,
    isCorrected: false,
    probabilities: [0, 1],
  })
  const mark = (...rows: ReturnType<typeof row>[]) => rowsMark({ rows })
  const before = mark(row(0, 1), row(1, 0))
  expect(mark({ ...row(0, 1), isCorrected: true }, row(1, 0))).toBe(before)
  expect([mark(row(0, 0), row(1, 0)), mark(row(0, 1)), mark(row(0, 1), row(2, 0))]).not.toContain(before)
})

test("a share of 100% leaves room for chance, more with fewer rows", () => {
  expect([1, 10, 1_000].map((rows) => shareWithRoom(rows, rows))).toEqual([0.2, 0.72, 0.99])
  expect(shareWithRoom(0, 10)).toBe(0)
})
