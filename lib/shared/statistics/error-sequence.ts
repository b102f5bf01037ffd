import { type Interval, RISK } from "./binomial"
import { EProcess } from "./e-process"

/** Logarithms of the odds ratios that bets assume, from 3% above 1 to 55: the error may be a little or far above the target. */
const LOG_RATIOS = Array.from({ length: 16 }, (_, at) => 0.03 * (4 / 0.03) ** (at / 15))
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

/**
 * Tests the claim "each automatic answer is wrong with a probability of at most `target`" after each outcome. Probabilities may
 * change and depend on earlier outcomes. The bets are those of `errorSequence`. `target` is above 0.
 */
export class ErrorWatch {
  readonly #process = new EProcess(LOG_RATIOS.length)
  readonly #ifWrong: Float64Array
  readonly #ifRight: Float64Array

  constructor(target: number) {
    this.#ifRight = Float64Array.from(LOG_RATIOS, (log) => 1 / (1 + target * Math.expm1(log)))
    this.#ifWrong = this.#ifRight.map((factor, bet) => factor * Math.exp(LOG_RATIOS[bet] ?? 0))
  }

  add(isWrong: boolean): void {
    this.#process.add(isWrong ? this.#ifWrong : this.#ifRight)
  }

  /** How strongly the outcomes speak against the claim; 1 is not at all. */
  get evidence(): number {
    return this.#process.evidence
  }

  /** After how many outcomes the claim was first seen to be broken, 95% sure; null if it never was. */
  get alarmAt(): number | null {
    return this.#process.alarmAt
  }
}
