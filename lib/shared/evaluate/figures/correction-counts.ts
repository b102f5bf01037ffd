import { countOf, formatCount } from "@/lib/shared/format"
import type { QuestionTypeName } from "@/questions/question-types"
import { type JudgedRow, predictedOf } from "./judged-rows"

/** How the user's corrections of a question's labels moved its figures. */
export interface CorrectionCounts {
  changed: number
  leftOut: number
  /** Corrections after which an answer that was wrong is right, or no longer counts. */
  towardsModel: number
}

/** Counts corrections. `rows` have the labels of the file. */
export function countCorrections(
  type: QuestionTypeName,
  rows: readonly JudgedRow[],
  corrected: ReadonlyMap<number, number | null>,
): CorrectionCounts {
  const counts: CorrectionCounts = { changed: 0, leftOut: 0, towardsModel: 0 }
  for (const { row, label, probabilities } of rows) {
    const right = corrected.get(row)
    if (right === undefined || right === label) continue
    const answer = predictedOf(type, probabilities)
    if (right === null) counts.leftOut += 1
    else counts.changed += 1
    if (answer !== label && (right === null || right === answer)) counts.towardsModel += 1
  }
  return counts
}

/** Says which way the corrections went, such as "12 labels corrected, all towards the model". Null without any. */
export function correctionsText({ changed, leftOut, towardsModel }: CorrectionCounts): string | null {
  const all = changed + leftOut
  if (all === 0) return null
  const done = [
    ...(changed > 0 ? [`${countOf(changed, "label")} corrected`] : []),
    ...(leftOut > 0 ? [`${countOf(leftOut, "row")} left out`] : []),
  ]
  const share =
    towardsModel === all ? (all === 1 ? "" : "all ") : towardsModel === 0 ? "none " : `${formatCount(towardsModel)} `
  return `${done.join(" and ")}, ${share}towards the model`
}
