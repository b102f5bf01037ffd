import { acceptanceOf } from "@/lib/shared/evaluate/export/acceptance-of"
import type { RunData } from "@/lib/shared/evaluate/export/judged-questions"
import { type AnsweredRows, correctRows, splitRows } from "@/lib/shared/evaluate/figures/answered-rows"
import { automatableThreshold, CHOICE_RULE, SCORE_RULE } from "@/lib/shared/evaluate/figures/automate-threshold"
import { automatableBand } from "@/lib/shared/evaluate/figures/automate-yes-no"
import { type Automation, FIRST_GOAL, type Goal } from "@/lib/shared/evaluate/figures/automation"
import { judgedRows } from "@/lib/shared/evaluate/figures/judged-rows"
import { askedRows } from "@/lib/shared/evaluate/run/asked-rows"
import { NO_TOTALS, type RowResult } from "@/lib/shared/evaluate/run/evaluation-run"
import type { Acceptance } from "@/lib/shared/export-code/export-test"
import { readForm } from "@/lib/shared/request-form/read-form"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json"
import sharp from "@/lib/shared/statistics/fixture/ref-noul-sharp.json"
import score from "@/lib/shared/statistics/fixture/ref-score-5.json"
import { outcomesOf } from "@/questions/question-types"
import { newRun, newSet } from "./scripted-run"

const LEVELS = ["calm", "cool", "annoyed", "angry", "furious"]
const ROWS = 200

const request = {
  model: "m-latest",
  state: "s",
  questions: {
    refund: { type: "noul", instructions: "Does the customer ask for a refund?" },
    team: {
      type: "choice",
      instructions: "Which team?",
      criteria: Object.fromEntries(choice.options.map((option) => [option, null])),
    },
    anger: { type: "score", instructions: "How angry?", criteria: LEVELS },
  },
}

function formOf() {
  const read = readForm(JSON.stringify(request), "")
  if (!read.ok) throw new Error(read.message)
  return read.form
}

/** The probabilities of one row, as the three questions were answered. */
export interface RowAnswers {
  yes: number
  team: number[]
  anger: number[]
}

export const rowAnswers = (row: number): RowAnswers => ({
  yes: sharp.p[row] ?? 0,
  team: choice.P[row] ?? [],
  anger: score.P[row] ?? [],
})

/** Returns answers of the API with these probabilities. */
export function apiAnswers({ yes, team, anger }: RowAnswers) {
  const byKey = (keys: string[], values: number[]) => Object.fromEntries(keys.map((key, at) => [key, values[at]]))
  return {
    refund: { type: "noul", noul: yes },
    team: { type: "choice", probabilities: byKey(choice.options, team) },
    anger: {
      type: "score",
      score: anger.reduce((sum, each, level) => sum + each * level, 0),
      probabilities: byKey(["0", "1", "2", "3", "4"], anger),
    },
  }
}

const answered = (row: number): RowResult => {
  const { yes, team, anger } = rowAnswers(row)
  return {
    ...{ runId: "run", row, status: "answered", tokens: 10, costUsd: "0.000010000000" },
    ...{ requestId: `req_${row}`, latencyMs: 5, answers: [[1 - yes, yes], team, anger] },
  } as RowResult
}

const GOALS: Goal[] = [
  { ...FIRST_GOAL, kind: "sides", targets: { yes: 0.1, no: 0.1 } },
  { ...FIRST_GOAL, target: 0.1 },
  { ...FIRST_GOAL, target: 0.05 },
]

interface AcceptedRun extends RunData {
  /** Per question: the rule that the page shows, and the rows that it is from. */
  shown: { automation: Automation; answered: AnsweredRows; acceptance: Acceptance }[]
}

/** Returns 200 rows of the reference sets with a rule that is accepted for each of three questions. */
export function acceptedRun(teamGoal: Partial<Goal> = {}): AcceptedRun {
  const form = formOf()
  const columns = ["text", "refund", "team", "anger"]
  const labels = columns.slice(1).map((column) => ({ question: column, column, firstLevel: 0 as const }))
  const run = newRun({
    status: "finished",
    form,
    mapping: { state: { kind: "column", column: "text" }, labels },
    rowCount: ROWS,
    totals: { ...NO_TOTALS, answered: ROWS },
  })
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    index,
    line: index + 2,
    cells: [
      String(index),
      sharp.y[index] ? "yes" : "no",
      choice.options[choice.y[index] ?? 0] ?? "",
      String(score.y[index]),
    ],
  }))
  const set = newSet(run, { name: "Tickets", columns, rowCount: ROWS })
  const results = rows.map(({ index }) => answered(index))
  const asked = askedRows(set, rows, run)
  const accepted = asked.questions.map((question, at) => {
    const judged = judgedRows(asked, results, [], question.name)
    const kept = correctRows(outcomesOf(question).names(question), judged, splitRows(judged), new Map())
    const automatable = [
      automatableBand(kept),
      automatableThreshold(kept, CHOICE_RULE),
      automatableThreshold(kept, SCORE_RULE),
    ][at]
    const automation = automatable?.find({ ...(GOALS[at] ?? FIRST_GOAL), ...(at === 1 && teamGoal) }).automation
    if (!automation) throw new Error(`Nothing is proved for ${question.name}.`)
    const details = { acceptedAt: "2026-11-28T10:00:00.000Z", doubts: [] }
    return { automation, answered: kept, acceptance: acceptanceOf(question, automation, kept, details) }
  })
  const acceptances = accepted.map(({ acceptance }) => acceptance)
  return { set, run: { ...run, acceptances }, rows, results, asked, shown: accepted }
}
