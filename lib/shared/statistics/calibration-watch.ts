import { EProcess, type SavedProcess } from "./e-process"

/** Forecasts closer to 0 or 1 are moved to it: their odds would be 0 or infinite. */
const CLIP = 1e-6
/** Slopes and intercepts on the logit scale that bets assume. A calibrated model has slope 1 and intercept 0. */
const SLOPES = [0.4, 0.7, 1, 1.4, 2]
const INTERCEPTS = [-1.2, -0.6, -0.3, 0, 0.3, 0.6, 1.2]
const LINES = SLOPES.flatMap((slope, at) =>
  INTERCEPTS.filter((intercept) => slope !== 1 || intercept !== 0).map((intercept) => ({
    at,
    scale: Math.exp(intercept),
  })),
)

/**
 * Tests the claim "an event that is forecast with p happens with the probability p" after each outcome. Forecasts may depend on
 * earlier outcomes.
 *
 * Each bet assumes `logit P = intercept + slope · logit p`, the line of `coxFit`, and gains the ratio of the likelihoods. Source:
 * Arnold, Henzi and Ziegel (2023), "Sequentially valid tests for forecast calibration"; for the lines Cox (1958).
 */
export class CalibrationWatch {
  readonly #process: EProcess
  readonly #factors = new Float64Array(LINES.length)
  readonly #odds = new Float64Array(SLOPES.length)

  constructor(saved?: SavedProcess) {
    this.#process = new EProcess(LINES.length, saved)
  }

  /** Adds an event that was forecast with `forecast`, from 0 to 1. */
  add(forecast: number, happened: boolean): void {
    const p = Math.min(1 - CLIP, Math.max(CLIP, forecast))
    const odds = p / (1 - p)
    SLOPES.forEach((slope, at) => {
      this.#odds[at] = slope === 1 ? odds : odds ** slope
    })
    LINES.forEach(({ at, scale }, bet) => {
      const assumed = scale * (this.#odds[at] ?? 0)
      // A forecast that was moved is only bet against in the direction in which it was moved. So no bet gains on average.
      const bounded = forecast < p ? Math.max(assumed, odds) : forecast > p ? Math.min(assumed, odds) : assumed
      const q = bounded / (1 + bounded)
      this.#factors[bet] = happened ? q / p : (1 - q) / (1 - p)
    })
    this.#process.add(this.#factors)
  }

  get saved(): SavedProcess {
    return this.#process.saved
  }

  /** How strongly the outcomes speak against the claim; 1 is not at all. */
  get evidence(): number {
    return this.#process.evidence
  }

  /** After how many outcomes the claim was first seen to be broken, 95% sure; null if it never was, or was before it was saved. */
  get alarmAt(): number | null {
    return this.#process.alarmAt
  }
}
