import { type EvaluationRun, type RowResult, variantOf } from "../model/evaluation-run"
import type { DataRow, EvaluationSet } from "../model/evaluation-set"
import { stateOf } from "../model/read-rows"

/** A row of a probe that was answered as it is, with one question's answers to its variants. */
export interface ProbedRow {
  /** The row's index in the set. */
  row: number
  line: number
  /** JSON source of what the model read. */
  state: string
  /** One probability per outcome for the row as it is. */
  whole: number[]
  /** The same for each variant, from the first one on. Null or missing: no answer. */
  variants: (number[] | null)[]
}

/** Returns the rows of a probe in the order of the file. `question` counts the questions of the request from 0. */
export function probedRows(
  set: Pick<EvaluationSet, "columns" | "source">,
  rows: readonly DataRow[],
  run: EvaluationRun,
  results: readonly RowResult[],
  question: number,
): ProbedRow[] {
  const byRow = new Map<number, (number[] | null)[]>()
  for (const result of results) {
    const { row, variant } = variantOf(run, result.row)
    const answers = byRow.get(row) ?? []
    byRow.set(row, answers)
    answers[variant] = result.status === "answered" ? (result.answers[question] ?? null) : null
  }
  return [...byRow].flatMap(([row, answers]): ProbedRow[] => {
    const [data, whole] = [rows[row], answers[0]]
    const state = data ? stateOf(set, run.mapping, data) : null
    if (!data || !whole || state === null) return []
    return [{ row, line: data.line, state, whole, variants: Array.from(answers.slice(1), (answer) => answer ?? null) }]
  })
}
