const WINDOW_MS = 1_000

/** Estimates how much a key asked for in the last second: the current window, and a share of the previous one. */
export class SpendRate {
  #startedAt = Number.NEGATIVE_INFINITY
  #now = { count: 0, pico: 0n }
  #before = { count: 0, pico: 0n }

  /** Counts a request of this maximum cost. `now` is a `performance.now()`. */
  note(pico: bigint, now: number): void {
    this.#advance(now)
    this.#now.count++
    this.#now.pico += pico
  }

  /** Returns the requests of the last second. */
  perSecond(now: number): number {
    this.#advance(now)
    return this.#now.count + this.#before.count * this.#share(now)
  }

  /** Returns the maximum cost of the last second's requests. */
  picoPerSecond(now: number): bigint {
    this.#advance(now)
    return this.#now.pico + (this.#before.pico * BigInt(Math.ceil(1_000 * this.#share(now)))) / 1_000n
  }

  #share(now: number): number {
    return Math.max(0, 1 - (now - this.#startedAt) / WINDOW_MS)
  }

  #advance(now: number): void {
    const passed = now - this.#startedAt
    if (passed < WINDOW_MS) return
    this.#before = passed < 2 * WINDOW_MS ? this.#now : { count: 0, pico: 0n }
    this.#now = { count: 0, pico: 0n }
    this.#startedAt = passed < 2 * WINDOW_MS ? this.#startedAt + WINDOW_MS : now
  }
}
