import { ServiceError } from "../errors"
import { abortError, throwIfAborted } from "./abort"

interface Waiter {
  enter(): void
  refuse(reason: unknown): void
}

/**
 * Lets at most `limit` requests work at once. The others wait, at most `capacity` of them, and enter one account after
 * the other, so that one busy account does not keep the rest out.
 */
export class FairQueue {
  readonly #waiting = new Map<string, Set<Waiter>>()
  #working = 0
  #count = 0

  constructor(
    private limit: number,
    private readonly capacity = 256,
  ) {}

  setLimit(limit: number): void {
    this.limit = limit
    this.#admit()
  }

  /**
   * Resolves when it is this request's turn, to the function that ends it. Rejects with `capacity_exceeded` when the
   * queue is full, or with the abort's reason.
   */
  async enter(accountId: string, signal: AbortSignal): Promise<() => void> {
    throwIfAborted(signal)
    if (this.#working < this.limit) this.#working++
    else await this.#wait(accountId, signal)
    let isDone = false
    return () => {
      if (isDone) return
      isDone = true
      this.#working--
      this.#admit()
    }
  }

  /** Refuses all that wait. */
  clear(reason: unknown): void {
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) waiter.refuse(reason)
  }

  #wait(accountId: string, signal: AbortSignal): Promise<void> {
    if (this.#count >= this.capacity)
      return Promise.reject(new ServiceError("capacity_exceeded", { retryAfterSeconds: 1 }))
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener("abort", onAbort)
        this.#remove(accountId, waiter)
      }
      const waiter: Waiter = {
        enter: () => {
          leave()
          resolve()
        },
        refuse: (reason) => {
          leave()
          reject(reason)
        },
      }
      const onAbort = () => waiter.refuse(abortError(signal))
      signal.addEventListener("abort", onAbort)
      const waiters = this.#waiting.get(accountId) ?? new Set()
      this.#waiting.set(accountId, waiters.add(waiter))
      this.#count++
    })
  }

  #remove(accountId: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(accountId)
    if (!waiters?.delete(waiter)) return
    this.#count--
    if (waiters.size === 0) this.#waiting.delete(accountId)
  }

  #admit(): void {
    while (this.#working < this.limit) {
      const [next] = this.#waiting
      if (!next) return
      const [accountId, waiters] = next
      const [waiter] = waiters
      this.#working++
      waiter?.enter()
      // The account goes behind the others for its next turn.
      if (this.#waiting.delete(accountId) && waiters.size > 0) this.#waiting.set(accountId, waiters)
    }
  }
}
