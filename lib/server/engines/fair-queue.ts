import { ServiceError } from "@/lib/shared/errors"
import { abortError, throwIfAborted } from "./abort"

const full = () => new ServiceError("capacity_exceeded", { retryAfterSeconds: 1 })

interface Waiter {
  enter(): void
  refuse(reason: unknown): void
}

/**
 * Lets at most `limit` calls work at once. The others wait, at most `capacity` of them, and enter one account after the
 * other. When all places to wait are taken, a newcomer takes the last one of the account that holds the most, unless its
 * own account holds as many: no account keeps the rest out, whether it asks often or waits in great numbers.
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
    return this.#leaving()
  }

  /** A place to work that nobody waits for, or null: lets a request whose turn it is make several calls at once. */
  tryEnter(): (() => void) | null {
    if (this.#working >= this.limit) return null
    this.#working++
    return this.#leaving()
  }

  #leaving(): () => void {
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
    if (this.#count >= this.capacity && !this.#makeRoom(accountId)) return Promise.reject(full())
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

  /** Refuses the last to wait of the account that holds the most places, if that is more than one above this account's. */
  #makeRoom(accountId: string): boolean {
    const [most] = [...this.#waiting.values()].toSorted((a, b) => b.size - a.size)
    if (!most || most.size <= (this.#waiting.get(accountId)?.size ?? 0) + 1) return false
    const last = [...most].at(-1)
    last?.refuse(full())
    return last !== undefined
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
