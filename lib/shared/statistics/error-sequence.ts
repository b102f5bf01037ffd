import { type Interval, RISK } from "./binomial"
import { LOG_RATIOS } from "./error-watch"

const STEPS = 50

/**
 * Returns the logarithm of the mean wealth of bets that the rate is above `rate`, after `errors` of `trials`. Each multiplies its wealth
 * by `eˡ / (1 + rate·(eˡ − 1))` at an error and `1 / (1 + rate·(eˡ − 1))` otherwise. It falls as `rate` rises.
 */
function logEvidence(errors: number, trials: number, rate: number): number {
  const logs = LOG_RATIOS.map((log) => log * errors - trials * Math.log1p(rate * Math.expm1(log)))
  const most = Math.max(...logs)
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / logs.length)
}

function lowerBound(errors: number, trials: number, risk: number): number {
  if (errors === 0) return 0
  let [low, high] = [0, errors / trials]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (logEvidence(errors, trials, middle) >= -Math.log(risk)) low = middle
    else high = middle
  }
  return low
}

/**
 * Returns the interval of a confidence sequence for an error rate: with a probability of 1 − `risk` the true rate is in the intervals
 * of all numbers of trials at once. 0 to 1 without trials.
 *
 * Each side has half of the risk, and excludes the rates against which bets have gained enough. Source: Howard, Ramdas, McAuliffe
 * and Sekhon (2021), "Time-uniform, nonparametric, nonasymptotic confidence sequences", for Bernoulli values, by a discrete mixture.
 */
export const errorSequence = (errors: number, trials: number, risk = RISK): Interval => ({
  low: lowerBound(errors, trials, risk / 2),
  high: 1 - lowerBound(trials - errors, trials, risk / 2),
})
