export interface Waiter {
  enter(): void
  refuse(reason: unknown): void
}

/** Requests that wait for a place. Accounts take turns. */
export class WaitingLine {
  readonly #accounts = new Map<string, Set<Waiter>>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Returns how many requests of an account wait. */
  of(accountId: string): number {
    return this.#accounts.get(accountId)?.size ?? 0
  }

  add(accountId: string, waiter: Waiter): void {
    this.#accounts.set(accountId, (this.#accounts.get(accountId) ?? new Set()).add(waiter))
    this.#count++
  }

  remove(accountId: string, waiter: Waiter): void {
    const waiters = this.#accounts.get(accountId)
    if (!waiters?.delete(waiter)) return
    this.#count--
    if (waiters.size === 0) this.#accounts.delete(accountId)
  }

  /** Lets the next request enter. */
  enterNext(): void {
    const [next] = this.#accounts
    if (!next) return
    const [accountId, waiters] = next
    const [waiter] = waiters
    waiter?.enter()
    // The account moves behind the others for its next turn.
    if (this.#accounts.delete(accountId) && waiters.size > 0) this.#accounts.set(accountId, waiters)
  }

  /** Refuses the latest request of the account with the most, if it has at least `least`. Returns whether it did. */
  refuseLatest(least: number, reason: unknown): boolean {
    const [largest] = [...this.#accounts.values()].toSorted((a, b) => b.size - a.size)
    if (!largest || largest.size < least) return false
    const last = [...largest].at(-1)
    last?.refuse(reason)
    return last !== undefined
  }

  refuseAll(reason: unknown): void {
    for (const waiters of this.#accounts.values()) for (const waiter of waiters) waiter.refuse(reason)
  }
}
