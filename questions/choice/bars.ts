import {
  type Explanation,
  type Figure,
  memberOf,
  readShares,
  roundStep,
  roundStepAtZero,
  type Share,
  toFigure,
  toShare,
} from "../display"

interface Bar extends Share {
  label: string
  /** The probability as a part of the largest one, 0 to 1. With many options, the bars would otherwise be too short to compare. */
  length: number
}

export interface ChoiceBars {
  choice: string
  confidence: Share
  /** The most likely options, most likely first. */
  bars: Bar[]
  /** The options after the twentieth; null when there are none. */
  rest: { count: number; together: Share; bars: Bar[] } | null
}

const MAX_BARS = 20

/** Prepares an answer for its chart. Null when the choice, the confidence or an option's probability is missing or invalid. */
export function prepareBars(names: string[], answer: unknown): ChoiceBars | null {
  const read = readShares(answer, names)
  const choice = memberOf(answer, "choice")
  if (!read || typeof choice !== "string") return null
  const largest = Math.max(...read.probabilities)
  const bars = read.probabilities
    .map(
      (value, index): Bar => ({
        label: names[index] ?? "",
        ...toShare(value),
        length: largest > 0 ? value / largest : 0,
      }),
    )
    .sort((a, b) => b.value - a.value)
  const folded = bars.slice(MAX_BARS)
  const together = folded.reduce((sum, bar) => sum + bar.value, 0)
  return {
    choice,
    confidence: read.confidence,
    bars: bars.slice(0, MAX_BARS),
    rest: folded.length > 0 ? { count: folded.length, together: toShare(Math.min(1, together)), bars: folded } : null,
  }
}

export const barFigures = ({ choice, confidence, bars, rest }: ChoiceBars): Figure[] => [
  { label: "Choice", text: choice, number: null },
  toFigure("Confidence", confidence.value),
  ...[...bars, ...(rest?.bars ?? [])].map(({ label, value }) => toFigure(`p(${label})`, value)),
]

/** Returns the option that the answer names, with its probability; null for a name that is no option. */
export function chosenShare({ choice, bars, rest }: ChoiceBars): { option: string; share: Share } | null {
  const bar = [...bars, ...(rest?.bars ?? [])].find(({ label }) => label === choice)
  return bar ? { option: choice, share: bar } : null
}

export function explainChoice(probabilities: number[]): Explanation {
  const n = probabilities.length
  const max = Math.max(...probabilities)
  const steps =
    n < 2
      ? ["There is one option: 1"]
      : [
          `n = ${n}, p = ${roundStep(max)}`,
          `(${n} × ${roundStep(max)} − 1) ÷ (${n} − 1) = ${roundStepAtZero((n * max - 1) / (n - 1))}`,
        ]
  return {
    formula: "(n · p − 1) ÷ (n − 1), with n options and p the largest probability",
    steps,
    meaning: "1: all probability is on one option. 0: no option is above an even split.",
  }
}
