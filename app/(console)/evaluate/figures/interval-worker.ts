import {
  type Calibrated,
  type CalibrationVerdict,
  calibrationVerdict,
} from "@/lib/shared/evaluate/figures/calibration-verdict"
import type { ComparedFigure, Intervals } from "@/lib/shared/evaluate/figures/evaluation-figures"
import { figuresOf } from "@/lib/shared/evaluate/figures/figures-of"
import { bootstrap } from "@/lib/shared/statistics/bootstrap"
import type { Statistic } from "@/lib/shared/statistics/forecasts"
import { type BandPoint, consistencyBand } from "@/lib/shared/statistics/isotonic"
import { pairedDifferences } from "@/lib/shared/statistics/paired"
import type { Scale } from "@/questions/question-type"

export interface IntervalRequest {
  scale: Scale
  data: unknown
  /** The same rows as another run answered them. Intervals are then those of the differences, second minus first. */
  second?: unknown
  /** With it, the calibration is judged, and the consistency band is computed. */
  calibrated?: Calibrated
  seed: number
}

export type IntervalMessage =
  /** The worker listens now. Earlier messages may be lost, because its code loads in chunks. */
  { type: "ready" } | { type: "intervals"; intervals: Intervals; band: BandPoint[]; verdict: CalibrationVerdict | null }

/** The same for the consistency band. */
const MAX_BAND_DRAWS = 4_000_000

/** Above this number of draws, fewer replicates are drawn. 500 are enough for 95% intervals of many rows. */
const MAX_DRAWS = 10_000_000

const statisticsOf = (figures: ComparedFigure[]): Record<string, Statistic> =>
  Object.fromEntries(figures.map(({ name, statistic }) => [name, statistic]))

function intervalsOf({ scale, data, second, seed }: IntervalRequest): Intervals {
  const figures = figuresOf(scale)
  const rows = figures.rows(data)
  const replicates = Math.max(500, Math.min(2_000, Math.floor(MAX_DRAWS / rows)))
  if (second !== undefined) {
    const [one, other] = [data, second].map((each) => statisticsOf(figures.compared(each)))
    const differences = pairedDifferences(rows, one ?? {}, other ?? {}, { seed, replicates })
    return Object.fromEntries(Object.entries(differences).map(([name, { interval }]) => [name, interval]))
  }
  return {
    ...bootstrap(rows, figures.statistics(data), { seed, replicates }),
    ...figures.extra?.(data, seed),
  }
}

const send = (message: IntervalMessage) => postMessage(message)

function bandOf({ calibrated, seed }: IntervalRequest): BandPoint[] {
  if (!calibrated) return []
  const { forecasts } = calibrated
  const replicates = Math.max(200, Math.min(1_000, Math.floor(MAX_BAND_DRAWS / forecasts.isYes.length)))
  return consistencyBand(forecasts, { seed, replicates })
}

addEventListener("message", ({ data }: MessageEvent<IntervalRequest>) =>
  send({
    type: "intervals",
    intervals: intervalsOf(data),
    band: bandOf(data),
    verdict: data.calibrated ? calibrationVerdict(data.calibrated) : null,
  }),
)
send({ type: "ready" })
