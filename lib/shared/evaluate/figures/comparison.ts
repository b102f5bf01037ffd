import { checkBand, type DecisionBand } from "@/lib/shared/statistics/band"
import { checkThreshold } from "@/lib/shared/statistics/coverage"
import { evenWeights } from "@/lib/shared/statistics/forecasts"
import { compareRight, type RightOrWrong } from "@/lib/shared/statistics/paired"
import { QUESTION_TYPES, type QuestionTypeName } from "@/questions/question-types"
import { curveOf, withinCurveOf } from "./automate-threshold"
import { yesOf } from "./automate-yes-no"
import type { Answered, ComparedFigure, Intervals } from "./evaluation-figures"
import { intervalText, signed } from "./figure-text"
import { figuresOf } from "./figures-of"
import type { PairedAnswers } from "./paired-rows"

/** One figure of two runs, as text. */
export interface ComparedLine {
  name: string
  first: string
  second: string
  difference: string
  /** The difference's 95% interval; null while it is computed, when that failed, and where there is none. */
  interval: string | null
  meaning: string
}

function meaningOf({ better, name }: ComparedFigure, difference: number, intervals: Intervals | null): string {
  if (intervals === null) return "Not known without the interval."
  const interval = intervals[name]
  if (interval === undefined) return "…"
  if (Number.isNaN(difference)) return "It has no value."
  if (difference === 0) return "No clear difference."
  if (interval === null) return "The rows are too few or too alike to rule out chance."
  if (interval.low <= 0 && interval.high >= 0) return "No clear difference."
  if (better === "none") return difference > 0 ? "Higher in the second run." : "Lower in the second run."
  return difference > 0 === (better === "higher") ? "The second run is better." : "The first run is better."
}

/** The data of two runs that the worker and the page need. Computed once per pair. */
export interface ComparedData {
  first: unknown
  second: unknown
  /** The lines with these intervals: empty while they are computed, null when that failed. */
  lines(intervals: Intervals | null): ComparedLine[]
  right: RightOrWrong
  rows: number
}

/** Compares two runs over the same labelled rows. */
export function compareAnswers(type: QuestionTypeName, answers: PairedAnswers): ComparedData {
  const figures = figuresOf(QUESTION_TYPES[type].scale)
  const [first, second] = [figures.read(answers.first), figures.read(answers.second)]
  const rows = figures.rows(first)
  const even = evenWeights(rows)
  const before = figures.compared(first)
  const compared = figures.compared(second).flatMap((figure, at) => {
    const other = before[at]
    return other ? [{ figure, value: other.statistic(even), next: figure.statistic(even) }] : []
  })
  return {
    first,
    second,
    rows,
    right: compareRight(figures.right(first), figures.right(second)),
    lines: (intervals) =>
      compared.map(({ figure, value, next }): ComparedLine => {
        const { name, format } = figure
        const difference = next - value
        const signedText = (each: number) => signed(each, format)
        return {
          name,
          first: format(value),
          second: format(next),
          difference: signedText(difference),
          interval: intervalText(intervals?.[name], signedText),
          meaning: meaningOf(figure, difference, intervals),
        }
      }),
  }
}

/** The effect of an accepted threshold on the answers of one run. */
export interface AcceptedEffect {
  rows: number
  automatic: number
  wrong: number
}

/** Counts what an accepted band does on all labelled rows. */
export function acceptedEffect(type: QuestionTypeName, answered: Answered, band: DecisionBand): AcceptedEffect {
  const { scale } = QUESTION_TYPES[type]
  if (scale === "binary") return checkBand(yesOf(answered), band)
  return checkThreshold(scale === "nominal" ? curveOf(answered) : withinCurveOf(answered), band.high)
}
