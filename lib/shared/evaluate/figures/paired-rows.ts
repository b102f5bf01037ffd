import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import type { Correction } from "../rows/evaluation-set"
import { onePerGroup } from "../rows/group-rows"
import { questionsOf } from "../rows/read-rows"
import type { AskedRows } from "../run/asked-rows"
import type { EvaluationRun, RowResult } from "../run/evaluation-run"
import { correctedLabels } from "./corrections"
import type { Answered } from "./evaluation-figures"
import { predictedOf } from "./judged-rows"

export interface RunWithResults {
  run: EvaluationRun
  results: readonly RowResult[]
}

/** A row that two runs answered. */
export interface PairedRow {
  /** The row's index in the set. */
  row: number
  line: number
  /** Rows of one group are not independent (`groupRows`). */
  group: number
  /** JSON source of what the second run's model read. */
  state: string
  /** The index of the right outcome, with the user's correction applied. Null without a label. */
  label: number | null
  /** One probability per outcome. */
  first: number[]
  second: number[]
}

/** Returns the questions that both runs asked: the same name, type and outcomes. Their wording may differ. */
export function sharedQuestions(first: EvaluationRun, second: EvaluationRun): CheckedQuestion[] {
  const outcomes = (question: CheckedQuestion) => JSON.stringify(outcomesOf(question).names(question))
  const asked = questionsOf(first.form)
  return questionsOf(second.form).filter((question) =>
    asked.some(
      (other) => other.name === question.name && other.type === question.type && outcomes(other) === outcomes(question),
    ),
  )
}

function answersOf({ run, results }: RunWithResults, question: string): Map<number, number[]> {
  const at = questionsOf(run.form).findIndex(({ name }) => name === question)
  return new Map(
    results.flatMap((result) => {
      const answer = result.status === "answered" ? result.answers[at] : null
      return answer ? [[result.row, answer] as const] : []
    }),
  )
}

/** Returns the rows that both runs answered, in the order of the file. They are read as the second run asks about them. */
export function pairedRows(
  { questions, usable, groups }: AskedRows,
  first: RunWithResults,
  second: RunWithResults,
  corrections: readonly Correction[],
  question: CheckedQuestion,
): PairedRow[] {
  const [before, after] = [answersOf(first, question.name), answersOf(second, question.name)]
  const corrected = correctedLabels(corrections, question.name, outcomesOf(question).names(question))
  const at = questions.findIndex(({ name }) => name === question.name)
  return usable.flatMap(({ index, line, state, labels }, position): PairedRow[] => {
    const [one, other] = [before.get(index), after.get(index)]
    if (!one || !other) return []
    const label = corrected.has(index) ? corrected.get(index) : labels[at]
    return [
      { row: index, line, group: groups[position] ?? position, state, label: label ?? null, first: one, second: other },
    ]
  })
}

export interface PairedAnswers {
  first: Answered
  second: Answered
}

/** Returns one labelled row of each group as each run answered it, in the same order. */
export function pairedAnswers(question: CheckedQuestion, rows: readonly PairedRow[]): PairedAnswers {
  const names = outcomesOf(question).names(question)
  const withLabel = rows.filter(({ label }) => label !== null)
  const drawn = new Set(onePerGroup(withLabel.map(({ group }) => group)))
  const labelled = withLabel.filter((_, at) => drawn.has(at))
  const labels = Uint8Array.from(labelled, ({ label }) => label ?? 0)
  return {
    first: { names, labels, probabilities: labelled.map(({ first }) => first) },
    second: { names, labels, probabilities: labelled.map(({ second }) => second) },
  }
}

/** A row with the difference between its answers in two runs. */
export interface ChangedRow {
  row: PairedRow
  before: number
  after: number
  /** Half the sum of all probabilities' changes: 0 for equal answers, 1 for opposite certainties. */
  change: number
}

/** Returns all rows: flipped ones first, then by how much their answers differ. */
export function changedRows({ type }: CheckedQuestion, rows: readonly PairedRow[]): ChangedRow[] {
  const isFlip = ({ before, after }: ChangedRow) => Number(before !== after)
  return rows
    .map((row): ChangedRow => {
      const distance = row.first.reduce((sum, p, at) => sum + Math.abs(p - (row.second[at] ?? 0)), 0)
      return {
        row,
        before: predictedOf(type, row.first),
        after: predictedOf(type, row.second),
        change: distance / 2,
      }
    })
    .sort((a, b) => isFlip(b) - isFlip(a) || b.change - a.change || a.row.row - b.row.row)
}
