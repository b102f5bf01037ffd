import { meanInterval, wilsonInterval } from "@/lib/shared/statistics/binomial"
import {
  absoluteErrors,
  bestWithinOne,
  confusionOf,
  medianLevel,
  quadraticKappaOf,
  rankedErrors,
  roundedScores,
  type Scored,
  sharesRanked,
  signedErrors,
  withinOneLevel,
} from "@/lib/shared/statistics/classes"
import { mean, type Statistic } from "@/lib/shared/statistics/forecasts"
import { meanLevel } from "@/questions/probabilities"
import type { Answered, ComparedFigure, Intervals, ScaleFigures } from "./evaluation-figures"
import { comparison, forecastLine, formatFigure, formatShare, intervalText, isBetter } from "./figure-text"

interface LevelData extends Scored {
  labels: Uint8Array
  scores: Float64Array
  /** The ranked probability score of each row. */
  errors: Float64Array
}

/** Reads the score of each row: the average of the levels, weighted by their probabilities, as in the API's answer. */
export const scored = ({ names, labels, probabilities }: Answered): LevelData => ({
  levels: names.length,
  labels,
  scores: Float64Array.from(probabilities, (each) => meanLevel([...each])),
  errors: rankedErrors(labels, probabilities),
})

const always = (data: LevelData, level: number): LevelData => ({ ...data, scores: data.scores.map(() => level) })

const plural = (levels: number): string => `${formatFigure(Math.abs(levels))} levels`

function biasMeaning(bias: number, intervals: Intervals): string {
  const interval = intervals.bias
  const isNone = Number(formatFigure(Math.abs(bias))) === 0
  if (isNone || (interval && interval.low <= 0 && interval.high >= 0))
    return "Scores are not clearly too high or too low."
  return `Scores are ${plural(bias)} too ${bias > 0 ? "high" : "low"} on average.`
}

function withinLine(data: LevelData, values: Record<string, number>, intervals: Intervals) {
  const rows = data.labels.length
  const within = withinOneLevel(data).reduce((sum, each) => sum + each, 0)
  const usual = `always answering level ${bestWithinOne(data)}`
  return {
    name: "Within one level",
    value: formatShare(within / rows),
    interval: intervalText(wilsonInterval(within, rows), formatShare),
    baseline: `${formatShare(within / rows - (values.withinGain ?? 0))}: ${usual}`,
    ...comparison(
      isBetter("within", values, intervals),
      `The rounded score is at most one level from the label in ${formatShare(within / rows)} of the rows.`,
      usual,
    ),
  }
}

export const ordinalFigures: ScaleFigures<LevelData> = {
  read: scored,
  rows: ({ labels }) => labels.length,
  statistics(data) {
    const [distance, within, bias] = [absoluteErrors(data), withinOneLevel(data), signedErrors(data)]
    const rounded = roundedScores(data)
    const medianDistance = absoluteErrors(always(data, medianLevel(data)))
    const usualWithin = withinOneLevel(always(data, bestWithinOne(data)))
    const kappa = (weights: ArrayLike<number>) => quadraticKappaOf(confusionOf(rounded, weights))
    const shares = sharesRanked(data)
    return {
      distance: (weights) => mean(distance, weights),
      distanceGain: (weights) => mean(medianDistance, weights) - mean(distance, weights),
      withinGain: (weights) => mean(within, weights) - mean(usualWithin, weights),
      kappa,
      kappaGain: kappa,
      bias: (weights) => mean(bias, weights),
      ranked: (weights) => mean(data.errors, weights),
      rankedGain: (weights) => shares(weights) - mean(data.errors, weights),
    }
  },
  extra: (data) => ({ bias: meanInterval(signedErrors(data)) }),
  compared(data) {
    const statistics = ordinalFigures.statistics(data)
    const within = withinOneLevel(data)
    const figure = (name: string, better: ComparedFigure["better"], statistic: Statistic | undefined) =>
      statistic ? [{ name, better, format: formatFigure, statistic }] : []
    return [
      ...figure("Mean absolute error", "lower", statistics.distance),
      {
        name: "Within one level",
        better: "higher",
        format: formatShare,
        statistic: (weights) => mean(within, weights),
      },
      ...figure("Quadratic kappa", "higher", statistics.kappa),
      ...figure("Bias", "none", statistics.bias),
      ...figure("Ranked probability score", "lower", statistics.ranked),
    ]
  },
  right(data) {
    const { predicted } = roundedScores(data)
    return data.labels.map((label, row) => Number(label === predicted[row]))
  },
  lines(data, values, intervals) {
    const { distance = Number.NaN, kappa = Number.NaN, bias = Number.NaN } = values
    const median = `always answering level ${medianLevel(data)}`
    return [
      {
        name: "Mean absolute error",
        value: formatFigure(distance),
        interval: intervalText(intervals.distance, formatFigure),
        baseline: `${formatFigure(distance + (values.distanceGain ?? 0))}: ${median}`,
        ...comparison(
          isBetter("distance", values, intervals),
          `Scores are ${plural(distance)} from the label on average.`,
          median,
        ),
      },
      withinLine(data, values, intervals),
      {
        name: "Quadratic kappa",
        value: formatFigure(kappa),
        interval: intervalText(intervals.kappa, formatFigure),
        baseline: "0.000: chance",
        ...(Number.isNaN(kappa)
          ? { meaning: "It needs more than one level among labels and scores." }
          : comparison(
              isBetter("kappa", values, intervals),
              "Agreement of rounded scores and labels beyond chance. Large differences count most. 1 is perfect.",
              "chance",
            )),
      },
      {
        name: "Bias",
        value: formatFigure(bias),
        interval: intervalText(intervals.bias, formatFigure),
        baseline: "0.000: no bias",
        meaning: biasMeaning(bias, intervals),
      },
      forecastLine(
        {
          name: "Ranked probability score",
          statistic: "ranked",
          error: "mean squared error of the probabilities to be at most on each level",
        },
        values,
        intervals,
      ),
    ]
  },
}
