import { outcomesOf, QUESTION_TYPES, type QuestionTypeName } from "@/questions/question-types"
import type { Correction } from "../rows/evaluation-set"
import type { AskedRows } from "../run/asked-rows"
import type { RowResult } from "../run/evaluation-run"
import { correctedLabels } from "./corrections"

/** An answered row with the label that the figures compare it with. */
export interface JudgedRow {
  /** The row's index in the set. */
  row: number
  line: number
  /** JSON source of what the model read. */
  state: string
  /** The index of the right outcome (`Outcomes`): the user's correction, else the label of the file. */
  label: number
  isCorrected: boolean
  /** One probability per outcome: no and yes, the options, the levels. */
  probabilities: number[]
}

/** Returns the outcome that an answer stands for. Every figure, list and export compares it with the label. */
export const predictedOf = (type: QuestionTypeName, probabilities: number[]): number =>
  QUESTION_TYPES[type].outcomes.predicted(probabilities)

/** Returns the answered and labelled rows of one question, in the order of the file, without those that a correction leaves out. */
export function judgedRows(
  { questions, usable }: AskedRows,
  results: readonly RowResult[],
  corrections: readonly Correction[],
  questionName: string,
): JudgedRow[] {
  const at = questions.findIndex(({ name }) => name === questionName)
  const asked = questions[at]
  const corrected = correctedLabels(corrections, questionName, asked ? outcomesOf(asked).names(asked) : [])
  const answers = new Map(
    results.flatMap((result) => (result.status === "answered" ? [[result.row, result.answers[at]]] : [])),
  )
  return usable.flatMap(({ index, line, state, labels }): JudgedRow[] => {
    const probabilities = answers.get(index)
    const isCorrected = corrected.has(index)
    const label = isCorrected ? corrected.get(index) : labels[at]
    if (!probabilities || label === null || label === undefined) return []
    return [{ row: index, line, state, label, isCorrected, probabilities }]
  })
}
