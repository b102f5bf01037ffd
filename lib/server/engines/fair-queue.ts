import { ServiceError } from "@/lib/shared/errors"
import { abortError, throwIfAborted } from "./abort"

const queueFull = () => new ServiceError("capacity_exceeded", { retryAfterSeconds: 1 })

interface Waiter {
  enter(): void
  refuse(reason: unknown): void
}

export interface QueueState {
  running: number
  /** How many may run at once. */
  limit: number
  waiting: number
}

/**
 * Runs at most `limit` calls at once. Up to `capacity` others wait, and accounts take turns. In a full queue, a new
 * request replaces the latest request of the account with the most waiting requests. If its own account has about as
 * many, the new request is refused. No account can keep the others out by sending many requests.
 */
export class FairQueue {
  readonly #waiting = new Map<string, Set<Waiter>>()
  #running = 0
  #count = 0

  constructor(
    private limit: number,
    private readonly capacity = 256,
  ) {}

  get state(): QueueState {
    return { running: this.#running, limit: this.limit, waiting: this.#count }
  }

  setLimit(limit: number): void {
    this.limit = limit
    this.#admit()
  }

  /**
   * Waits for a place. Resolves to the function that leaves it. Rejects with `capacity_exceeded` when
   * the queue is full, or with the abort's reason.
   */
  async enter(accountId: string, signal: AbortSignal): Promise<() => void> {
    throwIfAborted(signal)
    if (this.#running < this.limit) this.#running++
    else await this.#wait(accountId, signal)
    return this.#leaving()
  }

  /**
   * Takes one more place for a running request, so that it can make several calls at once. Returns null when no place
   * is free.
   */
  tryEnter(): (() => void) | null {
    if (this.#running >= this.limit) return null
    this.#running++
    return this.#leaving()
  }

  #leaving(): () => void {
    let isDone = false
    return () => {
      if (isDone) return
      isDone = true
      this.#running--
      this.#admit()
    }
  }

  clear(reason: unknown): void {
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) waiter.refuse(reason)
  }

  #wait(accountId: string, signal: AbortSignal): Promise<void> {
    if (this.#count >= this.capacity && !this.#makeRoom(accountId)) return Promise.reject(queueFull())
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

  /**
   * Refuses the latest request of the account with the most waiting requests, if it has at least two more than this
   * one.
   */
  #makeRoom(accountId: string): boolean {
    const [largest] = [...this.#waiting.values()].toSorted((a, b) => b.size - a.size)
    if (!largest || largest.size <= (this.#waiting.get(accountId)?.size ?? 0) + 1) return false
    const last = [...largest].at(-1)
    last?.refuse(queueFull())
    return last !== undefined
  }

  #remove(accountId: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(accountId)
    if (!waiters?.delete(waiter)) return
    this.#count--
    if (waiters.size === 0) this.#waiting.delete(accountId)
  }

  #admit(): void {
    while (this.#running < this.limit) {
      const [next] = this.#waiting
      if (!next) return
      const [accountId, waiters] = next
      const [waiter] = waiters
      this.#running++
      waiter?.enter()
      // The account moves behind the others for its next turn.
      if (this.#waiting.delete(accountId) && waiters.size > 0) this.#waiting.set(accountId, waiters)
    }
  }
}
