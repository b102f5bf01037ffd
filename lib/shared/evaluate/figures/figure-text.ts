import type { Interval } from "@/lib/shared/statistics/binomial"
import { formatPercent } from "@/questions/display"
import type { FigureLine, Intervals } from "./evaluation-figures"

/** Shows a figure with three decimals, without a minus sign before zero. */
export function formatFigure(value: number): string {
  if (Number.isNaN(value)) return "–"
  const text = value.toFixed(3)
  return (Number(text) === 0 ? "0.000" : text).replace("-", "−")
}

export const formatShare = (value: number): string => (Number.isNaN(value) ? "–" : formatPercent(value))

/** Shows a value with its sign. `zero` is the sign of 0. */
export const signed = (value: number, format: (value: number) => string, zero = ""): string =>
  `${value > 0 ? "+" : value < 0 ? "−" : zero}${format(Math.abs(value))}`

export const intervalText = (
  interval: Interval | null | undefined,
  format: (value: number) => string,
): string | null => (interval ? `${format(interval.low)} to ${format(interval.high)}` : null)

/**
 * Returns whether a figure leads its baseline beyond chance: its lead is above 0, and so is its interval. While the interval
 * is not known, and where there is none, the lead decides.
 */
export function isBetter(name: string, values: Record<string, number>, intervals: Intervals): boolean {
  const lead = values[`${name}Gain`] ?? Number.NaN
  const interval = intervals[`${name}Gain`]
  return lead > 0 && (!interval || interval.low > 0)
}

/** Returns what a lead means: `better` when it is beyond chance, else that the model is no better. */
export const comparison = (is: boolean, better: string, baseline: string) => ({
  meaning: is ? better : `No better than ${baseline}.`,
  isNoBetter: !is,
})

/** Returns the line of a squared error of all probabilities, beside the one of always answering the shares of the labels. */
export function forecastLine(
  { name, statistic, error }: { name: string; statistic: string; error: string },
  values: Record<string, number>,
  intervals: Intervals,
): FigureLine {
  const score = values[statistic] ?? Number.NaN
  const base = score + (values[`${statistic}Gain`] ?? 0)
  const constant = "always answering the shares of the labels"
  return {
    name,
    value: formatFigure(score),
    interval: intervalText(intervals[statistic], formatFigure),
    baseline: `${formatFigure(base)}: ${constant}`,
    ...comparison(
      isBetter(statistic, values, intervals),
      `The ${error} is ${formatShare((base - score) / base)} lower than without a model. 0 is perfect.`,
      constant,
    ),
  }
}
