/** The `x-ratelimit-*` headers of a response: requests per second, and how many are left in the current second. */
export interface RateHeaders {
  limit: number
  remaining: number
}

/** Windows are clock seconds, so a perfectly even rate at the limit would sometimes put one request too many in one. */
export const SHARE_OF_LIMIT = 0.97
/** Lowers the rate after a rate-limit refusal, because another client of the account may be sending too. */
const SLOWER = 0.7
/** The requests under way may all be refused for the same second. Only the first of them lowers the rate. */
const SLOWER_EVERY_MS = 1_000
/** The share of the limit that the rate regains. */
const FASTER_PER_SECOND = 0.05
/** Requests that may leave together after a pause, as a share of one second's. */
const BURST = 0.1
/** How long to wait when no request is left in the current second. */
const FULL_WINDOW_MS = 200

/**
 * Decides when the next request may be sent. Times are in milliseconds. It spreads requests evenly below the limit, slows down
 * after a rate-limit refusal, and then recovers.
 */
export class Pace {
  #limit: number
  #share = SHARE_OF_LIMIT
  #allowance = 1
  #at: number
  #blockedUntil = 0
  #slowedAt = Number.NEGATIVE_INFINITY

  constructor(limit: number, now: number) {
    this.#limit = limit
    this.#at = now
  }

  /** Returns the current maximum rate, in requests per second. */
  get perSecond(): number {
    return Math.max(1, this.#limit * this.#share)
  }

  /** Returns how long the next request has to wait; 0 when it may be sent at once. */
  delay(now: number): number {
    this.#refill(now)
    if (now < this.#blockedUntil) return this.#blockedUntil - now
    return this.#allowance >= 1 ? 0 : Math.ceil(((1 - this.#allowance) / this.perSecond) * 1_000)
  }

  /** Counts a request that was sent. */
  sent(): void {
    this.#allowance -= 1
  }

  /** Adopts the limit of a response, and waits when no request is left in the current second. */
  follow({ limit, remaining }: RateHeaders, now: number): void {
    this.#refill(now)
    this.#limit = limit
    if (remaining === 0) this.#block(now + FULL_WINDOW_MS)
  }

  /** Blocks for `retryAfterMs`. Only a rate-limit refusal lowers the rate, at most once per second. */
  refused(retryAfterMs: number, isRateLimit: boolean, now: number): void {
    this.#refill(now)
    this.#block(now + retryAfterMs)
    if (isRateLimit && now - this.#slowedAt >= SLOWER_EVERY_MS) {
      this.#share *= SLOWER
      this.#slowedAt = now
    }
    this.#allowance = Math.min(this.#allowance, 1)
  }

  #block(until: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, until)
  }

  #refill(now: number): void {
    const seconds = Math.max(0, now - this.#at) / 1_000
    this.#at = now
    const maxAllowance = Math.max(1, this.perSecond * BURST)
    this.#allowance = Math.min(maxAllowance, this.#allowance + seconds * this.perSecond)
    this.#share = Math.min(SHARE_OF_LIMIT, this.#share + seconds * FASTER_PER_SECOND)
  }
}
