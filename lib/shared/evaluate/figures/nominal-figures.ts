import { shortText } from "@/lib/shared/long-runs"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { alwaysPredict, type Classified, macroF1, mostFrequent } from "@/lib/shared/statistics/classes"
import { mean } from "@/lib/shared/statistics/forecasts"
import { topConfidences } from "./confidences"
import type { Answered, ScaleFigures } from "./evaluation-figures"
import { comparison, formatFigure, formatShare, intervalText, isBetter } from "./figure-text"

export interface ClassData extends Classified {
  names: readonly string[]
  labels: Uint8Array
  predicted: Uint8Array
}

/** Takes the most likely outcome of each row as its predicted class. */
export function classified(answered: Answered): ClassData {
  const { names, labels } = answered
  return { names, count: names.length, labels, predicted: topConfidences(answered).answers }
}

/** Returns 1 for each row where both classes are equal. */
const matches = ({ labels, predicted }: Pick<ClassData, "labels" | "predicted">): Uint8Array =>
  labels.map((label, row) => Number(label === predicted[row]))

const total = (values: Uint8Array): number => values.reduce((sum, value) => sum + value, 0)

export const nominalFigures: ScaleFigures<ClassData> = {
  read: classified,
  rows: ({ labels }) => labels.length,
  statistics(data) {
    const right = matches(data)
    const usual = mostFrequent(data)
    const isUsual = data.labels.map((label) => Number(label === usual))
    const f1 = macroF1(data)
    const usualF1 = macroF1(alwaysPredict(data, usual))
    return {
      accuracyGain: (weights) => mean(right, weights) - mean(isUsual, weights),
      macroF1: f1,
      macroF1Gain: (weights) => f1(weights) - usualF1(weights),
    }
  },
  compared(data) {
    const right = matches(data)
    return [
      { name: "Accuracy", better: "higher", format: formatShare, statistic: (weights) => mean(right, weights) },
      { name: "Macro-F1", better: "higher", format: formatFigure, statistic: macroF1(data) },
    ]
  },
  right: matches,
  lines(data, values, intervals) {
    const rows = data.labels.length
    const right = total(matches(data))
    const usual = mostFrequent(data)
    const always = `always answering “${shortText(data.names[usual])}”`
    const f1 = values.macroF1 ?? Number.NaN
    return [
      {
        name: "Accuracy",
        value: formatShare(right / rows),
        interval: intervalText(wilsonInterval(right, rows), formatShare),
        baseline: `${formatShare(right / rows - (values.accuracyGain ?? 0))}: ${always}`,
        ...comparison(
          isBetter("accuracy", values, intervals),
          `The most likely option is right in ${formatShare(right / rows)} of the rows.`,
          always,
        ),
      },
      {
        name: "Macro-F1",
        value: formatFigure(f1),
        interval: intervalText(intervals.macroF1, formatFigure),
        baseline: `${formatFigure(f1 - (values.macroF1Gain ?? 0))}: ${always}`,
        ...comparison(
          isBetter("macroF1", values, intervals),
          "F1 combines how many predictions of an option are right and how many of its rows are found. This is the mean over all options. A rare option counts as much as a frequent one. 1 is perfect.",
          always,
        ),
      },
    ]
  },
}
