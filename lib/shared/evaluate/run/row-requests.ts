import type { QuestionTypeName } from "@/questions/question-types"
import type { Columns, DataRow } from "../rows/evaluation-set"
import { stateOf } from "../rows/read-rows"
import { type EvaluationRun, type StabilityCheck, variantOf } from "./evaluation-run"
import { partsOf, type StatePart } from "./parts"
import { restoreAnswer, reword } from "./rewordings"
import { type SharedRequest, sharedRequestOf } from "./shared-request"

/** What a run asks about one row of its plan. */
export interface RowRequest {
  shared: SharedRequest
  /** JSON source. */
  state: string
  /** Turns the response's probabilities into answers to the run's own questions. */
  restore(answers: (number[] | null)[]): (number[] | null)[]
}

/** Returns what a run asks about a row of its plan: null for a row without a state, or without the part to leave out. */
export type RowRequests = (planned: number) => RowRequest | null

type Asking = Pick<EvaluationRun, "form" | "pinnedId" | "mapping" | "robustness">
const same: RowRequest["restore"] = (answers) => answers

function checkedAs(check: StabilityCheck, types: QuestionTypeName[]): RowRequest["restore"] {
  return (answers) =>
    answers.map((answer, at) => {
      const type = types[at]
      return type ? restoreAnswer(check, type, answer) : answer
    })
}

/** Returns the requests of a run of any kind; null when its questions are invalid. */
export function rowRequests(
  set: Columns,
  rows: readonly DataRow[],
  { form, pinnedId, mapping, robustness }: Asking,
  pricePerMillionUsd: string | null,
): RowRequests | null {
  const shared = sharedRequestOf(form, pinnedId, pricePerMillionUsd)
  if (!shared) return null
  const types = shared.questions.map(({ type }) => type)
  const checks = (robustness?.kind === "stability" ? robustness.checks : []).map((check) => {
    const reworded = sharedRequestOf(reword(form, check), pinnedId, pricePerMillionUsd)
    // Answers are read by the names of the run's own questions.
    return {
      shared: { ...shared, questionsJson: (reworded ?? shared).questionsJson },
      restore: checkedAs(check, types),
    }
  })
  // A plan lists a row's variants one after the other, so the last row is kept.
  let last: { row: number; state: string | null; parts: StatePart[] } | null = null
  const read = (row: number) => {
    if (last?.row === row) return last
    const data = rows[row]
    const state = data ? stateOf(set, mapping, data) : null
    last = { row, state, parts: state !== null && robustness?.kind === "ablation" ? partsOf(state).parts : [] }
    return last
  }
  return (planned) => {
    const { row, variant } = variantOf({ ...(robustness && { robustness }) }, planned)
    const { state, parts } = read(row)
    if (state === null) return null
    if (robustness?.kind === "ablation" && variant > 0) {
      const part = parts[variant - 1]
      return part ? { shared, state: part.rest, restore: same } : null
    }
    return { shared, restore: same, ...checks[variant - 1], state }
  }
}
