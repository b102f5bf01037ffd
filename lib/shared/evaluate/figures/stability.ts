import type { QuestionTypeName } from "@/questions/question-types"
import type { StabilityCheck } from "../run/evaluation-run"
import { predictedOf } from "./judged-rows"
import type { RowVariants } from "./row-variants"

/** How one check changed the answers to a question. Changes are in the probability of the row's original answer. */
export interface CheckFigures {
  check: StabilityCheck
  /** Rows answered both as they are and in this check. */
  rows: number
  /** Rows whose answer changed. */
  flips: number
  meanChange: number
  largestChange: number
}

export interface RowStability {
  row: RowVariants
  /** The index of the outcome that is answered for the row as it is. */
  answer: number
  flippedBy: StabilityCheck[]
  /** The difference between the highest and the lowest probability of `answer`, over the row and its variants. */
  spread: number
}

export interface Stability {
  checks: CheckFigures[]
  /** Rows that the most checks flipped first, then by spread. */
  rows: RowStability[]
  /** Rows that any check flipped. */
  flipped: number
  meanSpread: number
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length

/** Compares each row's answer with its answers in other words. `checks` has null for a check that does not count. */
export function stabilityOf(
  type: QuestionTypeName,
  checks: readonly (StabilityCheck | null)[],
  rows: readonly RowVariants[],
): Stability {
  const stable = rows.map((row): RowStability => {
    const answer = predictedOf(type, row.whole)
    const counted = checks.flatMap((check, at) => {
      const variant = row.variants[at]
      return check && variant ? [{ check, variant }] : []
    })
    const shares = [row.whole, ...counted.map(({ variant }) => variant)].map((each) => each[answer] ?? 0)
    return {
      row,
      answer,
      flippedBy: counted.flatMap(({ check, variant }) => (predictedOf(type, variant) === answer ? [] : [check])),
      spread: Math.max(...shares) - Math.min(...shares),
    }
  })
  const figures = checks.flatMap((check, at): CheckFigures[] => {
    if (!check) return []
    const changes = stable.flatMap(({ row, answer }) => {
      const variant = row.variants[at]
      return variant ? [Math.abs((variant[answer] ?? 0) - (row.whole[answer] ?? 0))] : []
    })
    return [
      {
        check,
        rows: changes.length,
        flips: stable.filter(({ flippedBy }) => flippedBy.includes(check)).length,
        meanChange: meanOf(changes),
        largestChange: Math.max(0, ...changes),
      },
    ]
  })
  return {
    checks: figures,
    rows: stable.toSorted(
      (a, b) => b.flippedBy.length - a.flippedBy.length || b.spread - a.spread || a.row.row - b.row.row,
    ),
    flipped: stable.filter(({ flippedBy }) => flippedBy.length > 0).length,
    meanSpread: meanOf(stable.map(({ spread }) => spread)),
  }
}
