import { mostLikely } from "@/lib/shared/decisions/answers"
import type { PreparedAnswer } from "@/lib/shared/decisions/prepare"

/** A confidence worked out before the reader's eyes. */
export interface Explanation {
  /** The formula in words and letters. */
  formula: string
  /** The same with the numbers of this answer, rounded to three decimals. */
  steps: string[]
  /** What the number says. */
  meaning: string
}

const round = (value: number): string => String(Math.round(value * 1_000) / 1_000)

const atLeastZero = (value: number): string => (round(value).startsWith("-") ? `−${round(-value)}, so 0` : round(value))

const MEANING = {
  choice: "1: all probability is on one option. 0: no option stands above an even split.",
  score: "1: all probability is on one level. 0: it is spread at least as far as an even split would be.",
} as const

/** How the confidence of a choice comes from its probabilities. */
export function explainChoice(probabilities: number[]): Explanation {
  const n = probabilities.length
  const most = Math.max(...probabilities)
  const steps =
    n < 2
      ? ["There is one option: 1"]
      : [
          `n = ${n}, p = ${round(most)}`,
          `(${n} × ${round(most)} − 1) ÷ (${n} − 1) = ${atLeastZero((n * most - 1) / (n - 1))}`,
        ]
  return {
    formula: "(n · p − 1) ÷ (n − 1), with n options and p the largest probability",
    steps,
    meaning: MEANING.choice,
  }
}

/** How the confidence of a score comes from its probabilities. */
export function explainScore(probabilities: number[]): Explanation {
  const n = probabilities.length
  const mode = mostLikely(probabilities)
  const far = probabilities
    .map((p, level) => ({ p, distance: Math.abs(level - mode) }))
    .filter(({ distance }) => distance)
  const spread = far.reduce((sum, { p, distance }) => sum + p * distance, 0)
  const even = probabilities.reduce((sum, _, level) => sum + Math.abs(level - (n - 1) / 2), 0) / n
  const steps =
    n < 2
      ? ["There is one level: 1"]
      : [
          `most likely level: ${mode}`,
          `spread = ${far.map(({ p, distance }) => `${round(p)} × ${distance}`).join(" + ")} = ${round(spread)}`,
          `even split's spread = ${round(even)}`,
          `1 − ${round(spread)} ÷ ${round(even)} = ${atLeastZero(1 - spread / even)}`,
        ]
  return {
    formula:
      "1 − spread ÷ even split's spread, at least 0; spread = probability × distance from the most likely level, summed",
    steps,
    meaning: MEANING.score,
  }
}

/** How the confidence of an answer comes from its own probabilities; null for a noul, which has none. */
export function explainConfidence(answer: PreparedAnswer): Explanation | null {
  if (answer.type === "score") return explainScore(answer.chart.columns.map(({ value }) => value))
  if (answer.type !== "choice") return null
  const { bars, rest } = answer.chart
  return explainChoice([...bars, ...(rest?.bars ?? [])].map(({ value }) => value))
}
