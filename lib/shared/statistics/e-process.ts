/** The evidence from which on a claim counts as broken: while it holds, evidence ever reaches this in at most 5% of all histories. */
const ALARM_EVIDENCE = 20

/** A change is found sooner when bets also begin anew later. They begin after each of these many outcomes. */
const START_EVERY = 100
/** Wealth is capped here, far above any alarm: infinity times 0 would be no number. */
const MOST_WEALTH = 1e200

/**
 * The joint wealth of bets against a claim, from 1. While the claim holds, no bet gains on average, so the wealth ever reaches
 * 1/risk with at most the probability `risk`, however often one looks (Ville, 1939).
 *
 * A share 1/((s+1)(s+2)) of the wealth waits for the s-th start, so that a good history does not use up what detects a later
 * change. Source: Shin, Ramdas and Rinaldo (2024), "E-detectors", with a prior over starts.
 */
export class EProcess {
  readonly #wealth: Float64Array
  #trials = 0
  #evidence = 1
  #alarmAt: number | null = null

  /** `bets` is the number of bets, which share each start's wealth evenly. */
  constructor(bets: number) {
    this.#wealth = new Float64Array(bets)
  }

  /** The wealth now. It may fall again after an alarm. */
  get evidence(): number {
    return this.#evidence
  }

  /** The number of outcomes with which the evidence first reached `ALARM_EVIDENCE`; null if it never did. */
  get alarmAt(): number | null {
    return this.#alarmAt
  }

  /**
   * Adds an outcome. `factors[bet]` is what it multiplies each bet's wealth by. Each bet must be fixed before its outcome is known,
   * and its mean factor be at most 1 while the claim holds.
   */
  add(factors: ArrayLike<number>): void {
    const wealth = this.#wealth
    const starts = Math.floor(this.#trials / START_EVERY) + 1
    const begins = this.#trials % START_EVERY === 0
    const each = begins ? 1 / (starts * (starts + 1)) / wealth.length : 0
    let sum = 1 / (starts + 1)
    for (let bet = 0; bet < wealth.length; bet++) {
      const next = Math.min(MOST_WEALTH, ((wealth[bet] ?? 0) + each) * (factors[bet] ?? 1))
      wealth[bet] = next
      sum += next
    }
    this.#trials++
    this.#evidence = sum
    if (sum >= ALARM_EVIDENCE) this.#alarmAt ??= this.#trials
  }
}
