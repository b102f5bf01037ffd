import type { QuestionTypeName } from "@/questions/question-types"
import { type EvaluationRun, type StabilityCheck, variantOf } from "../model/evaluation-run"
import type { DataRow, EvaluationSet } from "../model/evaluation-set"
import { stateOf } from "../model/read-rows"
import { partsOf } from "../probe/parts"
import { restoreAnswer, reword } from "../probe/rewordings"
import { sharedRequestOf } from "./prepare-run"
import type { SharedRequest } from "./send-row"

/** What a run asks about one row of its plan. */
export interface RowRequest {
  shared: SharedRequest
  /** JSON source. */
  state: string
  /** Turns the response's probabilities into answers to the run's own questions. */
  restore(answers: (number[] | null)[]): (number[] | null)[]
}

type Asking = Pick<EvaluationRun, "form" | "pinnedId" | "mapping" | "probe">
type Columns = Pick<EvaluationSet, "columns" | "source">

const same: RowRequest["restore"] = (answers) => answers

function checkedAs(check: StabilityCheck, types: QuestionTypeName[]): RowRequest["restore"] {
  return (answers) =>
    answers.map((answer, at) => {
      const type = types[at]
      return type ? restoreAnswer(check, type, answer) : answer
    })
}

/**
 * Returns a function from a row of the plan to what a run of any kind asks about it: null for a row without a state, or without
 * the part to leave out. Null instead of the function when the run's questions are invalid.
 */
export function rowRequests(
  set: Columns,
  rows: readonly DataRow[],
  { form, pinnedId, mapping, probe }: Asking,
  pricePerMillionUsd: string | null,
): ((row: number) => RowRequest | null) | null {
  const shared = sharedRequestOf(form, pinnedId, pricePerMillionUsd)
  if (!shared) return null
  const types = shared.questions.map(({ type }) => type)
  const checks = (probe?.kind === "stability" ? probe.checks : []).map((check) => {
    const reworded = sharedRequestOf(reword(form, check), pinnedId, pricePerMillionUsd)
    // Answers are read by the names of the run's own questions.
    return {
      shared: { ...shared, questionsJson: (reworded ?? shared).questionsJson },
      restore: checkedAs(check, types),
    }
  })
  return (planned) => {
    const { row, variant } = variantOf({ ...(probe && { probe }) }, planned)
    const data = rows[row]
    const state = data ? stateOf(set, mapping, data) : null
    if (state === null) return null
    if (probe?.kind === "ablation" && variant > 0) {
      const part = partsOf(state).parts[variant - 1]
      return part ? { shared, state: part.rest, restore: same } : null
    }
    return { shared, restore: same, ...checks[variant - 1], state }
  }
}
