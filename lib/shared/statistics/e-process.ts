/** The evidence from which on a claim counts as broken: while it holds, evidence ever reaches this in at most 5% of all histories. */
const ALARM_EVIDENCE = 20

/** A change is found sooner when bets also begin anew later. They begin after each of these many outcomes. */
const START_EVERY = 100
/** Wealth is capped here, far above any alarm: infinity times 0 would be no number. */
const MOST_WEALTH = 1e200

/** What a stored process continues from: numbers alone. */
export interface SavedProcess {
  /** How many outcomes were added. */
  trials: number
  /** The wealth of each bet. */
  wealth: number[]
}

/**
 * The joint wealth of bets against a claim, from 1. While the claim holds, no bet gains on average, so the wealth ever reaches
 * 1/risk with at most the probability `risk`, however often one looks (Ville, 1939).
 *
 * A share 1/((s+1)(s+2)) of the wealth waits for the s-th start, so that a good history does not use up what detects a later
 * change. Source: Shin, Ramdas and Rinaldo (2024), "E-detectors", with a prior over starts.
 */
export class EProcess {
  readonly #wealth: Float64Array
  #trials: number
  #alarmAt: number | null = null

  /** `bets` is the number of bets, which share each start's wealth evenly. Throws for a saved process with another number of bets. */
  constructor(bets: number, saved?: SavedProcess) {
    if (saved && saved.wealth.length !== bets) throw new Error(`the saved process has ${saved.wealth.length} bets`)
    this.#wealth = Float64Array.from(saved?.wealth ?? new Float64Array(bets))
    this.#trials = saved?.trials ?? 0
  }

  get saved(): SavedProcess {
    return { trials: this.#trials, wealth: [...this.#wealth] }
  }

  /** The wealth now. It may fall again after an alarm. */
  get evidence(): number {
    let sum = 1 / (Math.ceil(this.#trials / START_EVERY) + 1)
    for (const each of this.#wealth) sum += each
    return sum
  }

  /**
   * The number of outcomes with which the evidence first reached `ALARM_EVIDENCE`; null if it never did. A continued process does not
   * know of alarms before it was saved.
   */
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
    for (let bet = 0; bet < wealth.length; bet++) {
      wealth[bet] = Math.min(MOST_WEALTH, ((wealth[bet] ?? 0) + each) * (factors[bet] ?? 1))
    }
    this.#trials++
    if (this.evidence >= ALARM_EVIDENCE) this.#alarmAt ??= this.#trials
  }
}
