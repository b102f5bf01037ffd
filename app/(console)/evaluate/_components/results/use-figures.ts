"use client"
import { useMemo } from "react"
import { type AnsweredRows, weaknesses } from "@/lib/shared/evaluate/figures/answered-rows"
import {
  type Calibrated,
  type CalibrationVerdict,
  calibratedOf,
} from "@/lib/shared/evaluate/figures/calibration-verdict"
import type { FigureLine } from "@/lib/shared/evaluate/figures/evaluation-figures"
import { figuresOf } from "@/lib/shared/evaluate/figures/figures-of"
import { evenWeights } from "@/lib/shared/statistics/forecasts"
import type { BandPoint } from "@/lib/shared/statistics/isotonic"
import type { Scale } from "@/questions/question-type"
import { useIntervals } from "../../figures/use-intervals"

/** All that the page says about the answers of one question. */
export interface Figures {
  lines: FigureLine[]
  calibrated: Calibrated
  /** Null until a worker has computed it. */
  verdict: CalibrationVerdict | null
  /** Where the isotonic steps of a calibrated model lie. Empty until a worker has computed it. */
  band: readonly BandPoint[]
  /** Why the rows are too few. */
  weak: string[]
  /** What keeps a claim from being confirmed. Null until the intervals are known, or known to be missing. */
  doubts: string[] | null
  /** Computes the intervals again. Null unless that failed. */
  retry: (() => void) | null
}

/** A claim without the intervals is accepted with this doubt. */
const NOT_CHECKED =
  "It is not checked against the other figures, because their intervals and the verdict on calibration could not be computed."

/**
 * Computes the figures of a question. `data` is what `figuresOf` reads of `answered`. Intervals and the verdict follow when a worker has
 * computed them.
 */
export function useFigures(scale: Scale, answered: AnsweredRows, data: unknown): Figures {
  const figures = figuresOf(scale)
  const values = useMemo(() => {
    const even = evenWeights(figures.rows(data))
    return Object.fromEntries(
      Object.entries(figures.statistics(data)).map(([name, statistic]) => [name, statistic(even)]),
    )
  }, [figures, data])
  const calibrated = useMemo(() => calibratedOf(scale, answered), [scale, answered])
  const { intervals, band, verdict, state, retry } = useIntervals({ scale, data, calibrated })
  const lines = figures.lines(data, values, intervals)
  const weak = weaknesses(answered)
  const doubts = [
    ...(weak.length > 0 ? ["There are too few labelled answers."] : []),
    ...lines.flatMap(({ name, meaning, isNoBetter }) => (isNoBetter ? [`${name}: ${meaning}`] : [])),
    ...(verdict?.kind === "unclear" ? ["These rows cannot tell whether the probabilities are calibrated."] : []),
    ...(state === "failed" ? [NOT_CHECKED] : []),
  ]
  return {
    lines,
    calibrated,
    verdict,
    band,
    weak,
    doubts: state === "computing" ? null : doubts,
    retry: state === "failed" ? retry : null,
  }
}
