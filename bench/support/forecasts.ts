/** Probabilities for one case, and the index of its correct label. */
export interface Forecast {
  probabilities: number[]
  truth: number
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const topOf = ({ probabilities }: Forecast): number => probabilities.indexOf(Math.max(...probabilities))
const isRight = (forecast: Forecast): boolean => topOf(forecast) === forecast.truth

/** Returns the share of cases whose most probable label is at most `off` levels from the correct one. */
export const accuracy = (forecasts: Forecast[], off = 0): number =>
  mean(forecasts.map((forecast) => (Math.abs(topOf(forecast) - forecast.truth) <= off ? 1 : 0)))

/** Returns the Brier score: Σ (p − y)² over the labels, averaged over the cases. 0 is perfect, 2 is certain and wrong. */
export const brier = (forecasts: Forecast[]): number =>
  mean(
    forecasts.map(({ probabilities, truth }) =>
      probabilities.reduce((sum, p, i) => sum + (p - (i === truth ? 1 : 0)) ** 2, 0),
    ),
  )

export interface Bin {
  cases: number
  /** The mean probability of the most probable label. */
  claimed: number
  /** The share of cases in which that label was correct. */
  right: number
}

/** Sorts the cases by the probability of their most probable label and returns `count` bins of equal size. */
export function calibrationBins(forecasts: Forecast[], count: number): Bin[] {
  const sorted = forecasts.toSorted((a, b) => Math.max(...a.probabilities) - Math.max(...b.probabilities))
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [Math.round((i * sorted.length) / count), Math.round(((i + 1) * sorted.length) / count)]
    const members = sorted.slice(from, to)
    return {
      cases: members.length,
      claimed: mean(members.map(({ probabilities }) => Math.max(...probabilities))),
      right: mean(members.map((member) => (isRight(member) ? 1 : 0))),
    }
  })
}

/** Returns the expected calibration error: the mean distance between claimed probability and share correct, over the bins. */
export const calibrationError = (bins: Bin[]): number => {
  const cases = bins.reduce((sum, bin) => sum + bin.cases, 0)
  return bins.reduce((sum, bin) => sum + (bin.cases / cases) * Math.abs(bin.claimed - bin.right), 0)
}

/** Returns forecasts of the same cases that give every label the same probability. */
export const uniform = (forecasts: Forecast[]): Forecast[] =>
  forecasts.map(({ probabilities, truth }) => ({
    truth,
    probabilities: probabilities.map(() => 1 / probabilities.length),
  }))

/** Returns forecasts of one question's cases from the frequencies of its labels: the best guess without reading the text. */
export function shares(forecasts: Forecast[]): Forecast[] {
  const counts = (forecasts[0]?.probabilities ?? []).map((_, i) => forecasts.filter(({ truth }) => truth === i).length)
  const probabilities = counts.map((count) => count / forecasts.length)
  return forecasts.map(({ truth }) => ({ truth, probabilities }))
}
