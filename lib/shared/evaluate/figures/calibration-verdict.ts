import {
  type CoxFit,
  calibrationSize,
  coxFit,
  type SeparationTest,
  separationTest,
} from "@/lib/shared/statistics/calibration"
import { type Forecasts, sortForecasts } from "@/lib/shared/statistics/forecasts"
import type { Scale } from "@/questions/question-type"
import { yesOf } from "./automate-yes-no"
import { type Confidences, topConfidences, withinConfidences } from "./confidences"
import type { Answered } from "./evaluation-figures"
import { formatShare } from "./figure-text"

/** The probability that calibration is judged on, and what it promises. */
export interface Calibrated {
  forecasts: Forecasts
  /** "yes is true". */
  event: string
  axis: string
}

const confidencesOf = ({ confidences, isRight }: Confidences) => sortForecasts(confidences, isRight)

/** What the probability of each kind of question promises. */
export const PROMISES: Record<Scale, Omit<Calibrated, "forecasts">> = {
  binary: { event: "yes is true", axis: "the probability of yes" },
  nominal: { event: "the most likely option is right", axis: "the probability of the most likely option" },
  ordinal: { event: "the rounded score is within one level", axis: "the probability of being within one level" },
}

const READERS: Record<Scale, (answered: Answered) => Forecasts> = {
  binary: yesOf,
  nominal: (answered) => confidencesOf(topConfidences(answered)),
  ordinal: (answered) => confidencesOf(withinConfidences(answered)),
}

/** Reads the probability of yes, of the most likely option, or of being within one level. */
export const calibratedOf = (scale: Scale, answered: Answered): Calibrated => ({
  forecasts: READERS[scale](answered),
  ...PROMISES[scale],
})

/** A difference below this changes no decision. */
const MATERIAL = 0.02
/** Fewer labels that the forecasts separate without error say nothing about calibration. */
const MIN_SEPARATED = 100
const RISK = 0.05

export interface CalibrationVerdict {
  /** `unclear`: chance hides a difference that would matter. */
  kind: "off" | "fits" | "unclear"
  text: string
}

/**
 * Judges calibration by the likelihood ratio of Cox, and its size by the debiased squared error. Rows that show no difference say
 * "fits" only if what chance adds, or what the size is beyond it, stays below 2 points; else they cannot tell.
 */
export function calibrationVerdict({ forecasts, event }: Calibrated): CalibrationVerdict {
  const fit = coxFit(forecasts) ?? (forecasts.isYes.length < MIN_SEPARATED ? null : separationTest(forecasts))
  const { squared, chance } = calibrationSize(forecasts)
  const [size, noise] = [squared, chance].map((each) => formatShare(Math.sqrt(Math.max(0, each))))
  if (!fit)
    return {
      kind: "unclear",
      text: `These rows cannot tell whether the probabilities are calibrated: no line fits them.`,
    }
  const test = `Cox’s likelihood ratio test, ${pText(fit.p)}`
  if (fit.p <= RISK)
    return {
      kind: "off",
      text: `Not calibrated: probabilities differ from how often ${event} by about ${size} (root mean square without chance; ${test}). ${directionOf(fit)} ${NEEDS_NO_CALIBRATION}`,
    }
  if (squared <= chance && Math.sqrt(chance) > MATERIAL)
    return {
      kind: "unclear",
      text: `These rows cannot tell whether the probabilities are calibrated: the difference of about ${size} is below what chance alone adds, ${noise} (${test}).`,
    }
  if (squared > Math.max(chance, MATERIAL ** 2))
    return {
      kind: "unclear",
      text: `These rows cannot tell whether the probabilities are calibrated: they differ by about ${size}, but not by a shift or a slope that the test sees (${test}).`,
    }
  const small =
    squared > chance
      ? `the difference of about ${size} is too small to matter`
      : `chance alone adds ${noise}, and the difference is below it`
  return { kind: "fits", text: `Calibrated as far as these rows show: ${small} (${test}).` }
}

/** Stands wherever a page says "confirmed" and "not calibrated". */
export const NEEDS_NO_CALIBRATION =
  "A claim about a threshold holds all the same, because it counts mistakes. Do not read a single probability as the chance to be right."

const pText = (p: number): string => (p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`)

const TURNS: Record<SeparationTest["turn"], string> = {
  higher: "They are too low.",
  lower: "They are too high.",
  apart: "They are too far from 0 and 1: they separate the labels without error.",
  backwards: "They point the wrong way: where they are higher, it is less often so.",
}

/** Says which way a line that is off turns probabilities. */
function directionOf(fit: CoxFit | SeparationTest): string {
  if ("turn" in fit) return TURNS[fit.turn]
  const { intercept, slope } = fit
  const line = `On the logit scale, intercept ${intercept.toFixed(2)} and slope ${slope.toFixed(2)} fit best. Calibrated is 0 and 1.`
  if (slope < 0.9) return `They are too close to 0 and 1. ${line}`
  if (slope > 1.1) return `They are too far from 0 and 1. ${line}`
  return `They are too ${intercept > 0 ? "low" : "high"}. ${line}`
}

/** Says how many rows sit at exactly 0 and 1, where the test moves them to a millionth. */
export function endsText({ forecasts: { probabilities, isYes } }: Calibrated): string | null {
  const wrongAt = (end: 0 | 1) => {
    const rows = [...isYes].filter((_, at) => probabilities[at] === end)
    return { rows: rows.length, wrong: rows.filter((yes) => yes !== end).length }
  }
  const [zero, one] = [wrongAt(0), wrongAt(1)]
  if (zero.rows + one.rows === 0) return null
  return `Exactly 0: ${zero.rows} rows, ${zero.wrong} of them wrong. Exactly 1: ${one.rows} rows, ${one.wrong} wrong. The test moves them to 0.000001 and 0.999999, which changes the line.`
}
