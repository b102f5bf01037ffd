/**
 * Measures the built-in keyword rules on labelled everyday cases that were written after the rules: accuracy, Brier score and
 * calibration, compared with guesses that do not read the text.
 */
import { LexicalEngine } from "@/lib/server/engines/lexical/lexical-engine"
import { accuracy, brier, calibrationBins, calibrationError, shares, uniform } from "./support/forecasts"
import { forecastCases, type LabelledForecast } from "./support/labelled-cases"

const TASK_BINS = 5
const ALL_BINS = 10
const FOLDER = "bench/lexical/written-after"

const percent = (share: number): string => `${(100 * share).toFixed(0)}%`.padStart(5)
const decimal = (value: number): string => value.toFixed(3).padStart(6)

/** Groups forecasts by key, in order of first occurrence. */
function groupBy(forecasts: LabelledForecast[], keyOf: (forecast: LabelledForecast) => string): LabelledForecast[][] {
  const groups = new Map<string, LabelledForecast[]>()
  for (const forecast of forecasts) groups.set(keyOf(forecast), [...(groups.get(keyOf(forecast)) ?? []), forecast])
  return [...groups.values()]
}

function printLine(name: string, forecasts: LabelledForecast[]): void {
  const blind = groupBy(forecasts, ({ instructions }) => instructions).flatMap(shares)
  const within = ["urgency", "stars"].includes(name) ? `   within one level ${percent(accuracy(forecasts, 1))}` : ""
  console.log(
    [
      name.padEnd(11),
      String(forecasts.length).padStart(5),
      percent(accuracy(forecasts)).padStart(9),
      percent(accuracy(blind)).padStart(10),
      decimal(brier(forecasts)).padStart(8),
      decimal(brier(blind)).padStart(9),
      decimal(brier(uniform(forecasts))).padStart(9),
      decimal(calibrationError(calibrationBins(forecasts, TASK_BINS))).padStart(8),
      within,
    ].join(" "),
  )
}

function print(forecasts: LabelledForecast[]): void {
  console.log("task        cases  accuracy   majority    Brier    shares   uniform      ECE")
  for (const group of groupBy(forecasts, ({ task }) => task)) printLine(group[0]?.task ?? "", group)
  printLine("all", forecasts)
  const bins = calibrationBins(forecasts, ALL_BINS)
  console.log(
    `claimed  ${bins.map(({ claimed }) => percent(claimed)).join(" ")}   ECE over ${ALL_BINS} bins of equal size`,
  )
  console.log(
    `right    ${bins.map(({ right }) => percent(right)).join(" ")}   ${decimal(calibrationError(bins)).trim()}`,
  )
}

console.log(
  "Keyword rules, no model. Brier: sum over the labels, 0 is best. Majority always guesses the most frequent label of",
)
console.log(
  "a question, shares its label frequencies. ECE: mean distance of claimed and actual accuracy, bins of equal size.",
)
print(await forecastCases(new LexicalEngine(), FOLDER))
