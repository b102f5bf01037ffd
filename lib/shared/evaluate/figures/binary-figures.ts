import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { calibratedError } from "@/lib/shared/statistics/bootstrap"
import {
  baseRate,
  baseRateBrier,
  baseRateLogLoss,
  brier,
  calibrationError,
  evenWeights,
  type Forecasts,
  logLoss,
  mean,
  rocAuc,
  type Statistic,
  sortForecasts,
} from "@/lib/shared/statistics/forecasts"
import { inRowOrder } from "@/lib/shared/statistics/paired"
import { YES_FROM } from "@/questions/probabilities"
import type { FigureLine, Intervals, ScaleFigures } from "./evaluation-figures"
import { comparison, formatFigure, formatShare, intervalText, isBetter } from "./figure-text"

/** Returns one statistic minus another. */
const difference =
  (a: Statistic, b: Statistic): Statistic =>
  (weights) =>
    a(weights) - b(weights)

const rightOf = ({ probabilities, isYes }: Forecasts): Uint8Array =>
  isYes.map((yes, at) => Number((probabilities[at] ?? 0) >= YES_FROM === Boolean(yes)))

function accuracyLine(forecasts: Forecasts, values: Record<string, number>, intervals: Intervals): FigureLine {
  const rows = forecasts.isYes.length
  const right = rightOf(forecasts).reduce((sum, each) => sum + each, 0)
  const rate = baseRate(forecasts)(evenWeights(rows))
  const usual = rate > 0.5 ? "yes" : "no"
  return {
    name: "Accuracy at 0.5",
    value: formatShare(right / rows),
    interval: intervalText(wilsonInterval(right, rows), formatShare),
    baseline: `${formatShare(Math.max(rate, 1 - rate))}: always “${usual}”`,
    ...comparison(
      isBetter("accuracy", values, intervals),
      `${formatShare(right / rows)} of the rows are right when a probability from 0.5 up means yes.`,
      `always answering “${usual}”`,
    ),
  }
}

function lines(forecasts: Forecasts, values: Record<string, number>, intervals: Intervals): FigureLine[] {
  const { brier: score = Number.NaN, logLoss: loss = Number.NaN, rocAuc: auc = Number.NaN, rate = Number.NaN } = values
  const base = score + (values.brierGain ?? 0)
  const constant = `always answering ${formatShare(rate)}`
  const chance = intervals.calibrated
  const error = values.calibrationError ?? Number.NaN
  return [
    {
      name: "Brier score",
      value: formatFigure(score),
      interval: intervalText(intervals.brier, formatFigure),
      baseline: `${formatFigure(base)}: ${constant}`,
      ...comparison(
        isBetter("brier", values, intervals),
        `The mean squared error of the probabilities is ${formatShare((base - score) / base)} lower than without a model. 0 is perfect.`,
        constant,
      ),
    },
    {
      name: "Log loss",
      value: formatFigure(loss),
      interval: intervalText(intervals.logLoss, formatFigure),
      baseline: `${formatFigure(loss + (values.logLossGain ?? 0))}: ${constant}`,
      ...comparison(
        isBetter("logLoss", values, intervals),
        "Lower than without a model. It rises steeply with confident mistakes. 0 is perfect.",
        constant,
      ),
    },
    {
      name: "Calibration error (ECE)",
      value: formatShare(error),
      interval: null,
      baseline: chance ? `${formatShare(chance.low)}: what a perfectly calibrated model shows by chance` : "–",
      meaning:
        "The mean distance of probabilities from how often yes is true, over ten groups of rows. Whether chance explains it is tested below.",
    },
    {
      name: "ROC AUC",
      value: formatFigure(auc),
      interval: intervalText(intervals.rocAuc, formatFigure),
      baseline: "0.500: random order",
      ...(Number.isNaN(auc)
        ? { meaning: "It needs rows of both labels." }
        : comparison(
            isBetter("rocAuc", values, intervals),
            `A row labelled yes gets a higher probability than one labelled no in ${formatShare(auc)} of pairs.`,
            "a random order",
          )),
    },
    accuracyLine(forecasts, values, intervals),
  ]
}

export const binaryFigures: ScaleFigures<Forecasts> = {
  read: ({ labels, probabilities }) =>
    sortForecasts(
      probabilities.map(([, yes = 0]) => yes),
      labels,
    ),
  rows: ({ isYes }) => isYes.length,
  statistics(forecasts) {
    const right = rightOf(forecasts)
    const isMostlyYes = baseRate(forecasts)(evenWeights(forecasts.isYes.length)) > 0.5
    const isUsual = forecasts.isYes.map((yes) => (isMostlyYes ? yes : 1 - yes))
    const auc = rocAuc(forecasts)
    return {
      rate: baseRate(forecasts),
      brier: brier(forecasts),
      brierGain: difference(baseRateBrier(forecasts), brier(forecasts)),
      logLoss: logLoss(forecasts),
      logLossGain: difference(baseRateLogLoss(forecasts), logLoss(forecasts)),
      calibrationError: calibrationError(forecasts),
      rocAuc: auc,
      rocAucGain: (weights) => auc(weights) - 0.5,
      accuracyGain: (weights) => mean(right, weights) - mean(isUsual, weights),
    }
  },
  extra(forecasts, seed) {
    const chance = calibratedError(forecasts, { seed })
    // Resampled rows only ever add to the error, so it has no interval.
    return { calibrated: { low: chance.mean, high: chance.high }, calibrationError: null }
  },
  compared(forecasts) {
    const right = rightOf(forecasts)
    const figure = (name: string, better: "higher" | "lower", statistic: Statistic) => {
      const format = name.startsWith("Accuracy") || name.startsWith("Calibration") ? formatShare : formatFigure
      return { name, better, format, statistic: inRowOrder(forecasts, statistic) }
    }
    return [
      figure("Brier score", "lower", brier(forecasts)),
      figure("Log loss", "lower", logLoss(forecasts)),
      figure("Calibration error (ECE)", "lower", calibrationError(forecasts)),
      figure("ROC AUC", "higher", rocAuc(forecasts)),
      figure("Accuracy at 0.5", "higher", (weights) => mean(right, weights)),
    ]
  },
  right(forecasts) {
    const right = new Uint8Array(forecasts.rows.length)
    for (const [at, each] of rightOf(forecasts).entries()) right[forecasts.rows[at] ?? 0] = each
    return right
  },
  lines,
}
