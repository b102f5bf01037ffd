import { ServiceError } from "@/lib/shared/errors"
import { abortError, throwIfAborted } from "./abort"
import { type Waiter, WaitingLine } from "./waiting-line"

const queueFull = () => new ServiceError("capacity_exceeded", { retryAfterSeconds: 1 })

/** After this long without a normal request, background requests may use more places. */
const QUIET_MS = 5_000
/** The shares of the places for background requests. An engine with slots has four places for each, so an eighth is half of its slots. */
const BACKGROUND_SHARE = { quiet: 1 / 2, beside: 1 / 8 }

/** `background` is the lowest priority: such a request starts when no normal one waits. */
export type Priority = "normal" | "background"

export interface QueueState {
  running: number
  /** How many may run at once. */
  limit: number
  waiting: number
}

/**
 * Runs at most `limit` calls at once. Up to `capacity` others wait, and accounts take turns. In a full queue, a new
 * request replaces the latest request of the account with the most waiting requests. If its own account has about as
 * many, the new request is refused. No account can keep the others out by sending many requests. Background requests leave most
 * places to normal ones, start after them, and are replaced before them.
 */
export class FairQueue {
  readonly #waiting: Record<Priority, WaitingLine> = { normal: new WaitingLine(), background: new WaitingLine() }
  readonly #running: Record<Priority, number> = { normal: 0, background: 0 }
  #normalAt = Number.NEGATIVE_INFINITY

  constructor(
    private limit: number,
    private readonly capacity = 256,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): QueueState {
    const { normal, background } = this.#waiting
    return { running: this.#allRunning, limit: this.limit, waiting: normal.count + background.count }
  }

  setLimit(limit: number): void {
    this.limit = limit
    this.#admit()
  }

  /**
   * Waits for a place. Resolves to the function that leaves it. Rejects with `capacity_exceeded` when
   * the queue is full, or with the abort's reason.
   */
  async enter(accountId: string, signal: AbortSignal, priority: Priority = "normal"): Promise<() => void> {
    throwIfAborted(signal)
    if (priority === "normal") this.#normalAt = this.now()
    if (this.#hasPlace(priority)) this.#running[priority]++
    else await this.#wait(accountId, signal, priority)
    return this.#leaving(priority)
  }

  /**
   * Takes one more place for a running request, so that it can make several calls at once. Returns null when no place
   * is free.
   */
  tryEnter(priority: Priority = "normal"): (() => void) | null {
    if (!this.#hasPlace(priority)) return null
    this.#running[priority]++
    return this.#leaving(priority)
  }

  clear(reason: unknown): void {
    for (const line of Object.values(this.#waiting)) line.refuseAll(reason)
  }

  get #allRunning(): number {
    return this.#running.normal + this.#running.background
  }

  #hasPlace(priority: Priority): boolean {
    if (this.#allRunning >= this.limit) return false
    if (priority === "normal") return true
    const share = this.now() - this.#normalAt < QUIET_MS ? BACKGROUND_SHARE.beside : BACKGROUND_SHARE.quiet
    return this.#running.background < Math.max(1, Math.floor(this.limit * share))
  }

  #leaving(priority: Priority): () => void {
    let isDone = false
    return () => {
      if (isDone) return
      isDone = true
      this.#running[priority]--
      this.#admit()
    }
  }

  #wait(accountId: string, signal: AbortSignal, priority: Priority): Promise<void> {
    const line = this.#waiting[priority]
    if (this.state.waiting >= this.capacity && !this.#makeRoom(accountId, priority)) return Promise.reject(queueFull())
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener("abort", onAbort)
        line.remove(accountId, waiter)
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
      line.add(accountId, waiter)
    })
  }

  /**
   * Refuses the latest request of the account with the most waiting requests, if it has at least two more than this
   * one. A normal request replaces a background one first.
   */
  #makeRoom(accountId: string, priority: Priority): boolean {
    const { background } = this.#waiting
    if (priority === "normal" && background.refuseLatest(1, queueFull())) return true
    const line = this.#waiting[priority]
    return line.refuseLatest(line.of(accountId) + 2, queueFull())
  }

  #admit(): void {
    for (const priority of ["normal", "background"] as const) {
      const line = this.#waiting[priority]
      while (line.count > 0 && this.#hasPlace(priority)) {
        this.#running[priority]++
        line.enterNext()
      }
    }
  }
}
