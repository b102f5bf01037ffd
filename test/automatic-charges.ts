import type { StripeDouble } from "./doubles/stripe/stripe-double"

interface Charge {
  cents: number
  /** On the clock of the history. */
  atMinute: number
}

/** Counts the automatic charges of a history that plays on a Stripe double. */
export class AutomaticCharges {
  readonly #charges: Charge[] = []
  readonly #seen = new Set<string>()
  #mostInMonthCents = 0

  constructor(readonly double: StripeDouble) {}

  /** Notes the charges that were made since the last call, at this minute of the history. */
  note(atMinute: number): void {
    const { store } = this.double.world
    const ofCheckouts = new Set(store.all("checkout.session").map(({ payment_intent }) => payment_intent))
    for (const { id, status, amount_received: cents } of store.all("payment_intent")) {
      if (status !== "succeeded" || ofCheckouts.has(id) || this.#seen.has(id)) continue
      this.#seen.add(id)
      this.#charges.push({ cents, atMinute })
      this.#mostInMonthCents = Math.max(this.#mostInMonthCents, this.#monthCents(atMinute))
    }
  }

  /** Returns the cents charged in the month that ends at this minute. Its length is the elapsed part of the real current month. */
  #monthCents(minute: number): number {
    const now = new Date()
    const minutesOfMonth = (now.getTime() - Date.UTC(now.getUTCFullYear(), now.getUTCMonth())) / 60_000
    const inMonth = this.#charges.filter(({ atMinute }) => minute - atMinute <= minutesOfMonth)
    return inMonth.reduce((total, { cents }) => total + cents, 0)
  }

  get count(): number {
    return this.#charges.length
  }

  /** Infinity with fewer than two charges. */
  get closestMinutes(): number {
    const gaps = this.#charges.slice(1).map(({ atMinute }, index) => atMinute - (this.#charges[index]?.atMinute ?? 0))
    return Math.min(Number.POSITIVE_INFINITY, ...gaps)
  }

  get mostInMonthCents(): number {
    return this.#mostInMonthCents
  }
}
