import type { Columns, DataRow } from "../rows/evaluation-set"
import { stateOf } from "../rows/read-rows"
import { type EvaluationRun, type RowResult, variantOf } from "../run/evaluation-run"

/** A row of a robustness check that was answered as it is, with one question's answers to its variants. */
export interface RowVariants {
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

/** Returns the rows of a robustness check in the order of the file. `question` counts the questions of the request from 0. */
export function rowVariants(
  set: Columns,
  rows: readonly DataRow[],
  run: EvaluationRun,
  results: readonly RowResult[],
  question: number,
): RowVariants[] {
  const byRow = new Map<number, (number[] | null)[]>()
  for (const result of results) {
    const { row, variant } = variantOf(run, result.row)
    const answers = byRow.get(row) ?? []
    byRow.set(row, answers)
    answers[variant] = result.status === "answered" ? (result.answers[question] ?? null) : null
  }
  return [...byRow].flatMap(([row, answers]): RowVariants[] => {
    const [data, whole] = [rows[row], answers[0]]
    const state = data ? stateOf(set, run.mapping, data) : null
    if (!data || !whole || state === null) return []
    return [{ row, line: data.line, state, whole, variants: Array.from(answers.slice(1), (answer) => answer ?? null) }]
  })
}
