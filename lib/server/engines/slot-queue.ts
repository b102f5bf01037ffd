import { abortError, throwIfAborted } from "./abort"

/** A call's turn at the engine. */
export interface Turn {
  /** How many of its questions the call may have now, from the first. At least one. */
  count: number
  /** Ends the call. */
  end(): void
}

interface Waiter {
  /** How many prompts the engine reads for each question. */
  prompts: number[]
  /** Prompts of later calls that went first. */
  passed: number
  start(turn: Turn): void
}

const total = (prompts: number[]): number => prompts.reduce((sum, count) => sum + count, 0)

/**
 * The slots of one engine, shared by all models of this process at its address. llama.cpp starts a call of several prompts
 * only when a slot is free for each, and lets later calls overtake it. So calls go to the engine in the order of their
 * arrival, each when it can start. Smaller calls may pass one that waits, up to half as many prompts as there are slots.
 */
export class SlotQueue {
  /** Null: the engine does not report its slots, and calls go at once. */
  #slots: number | null = null
  #used = 0
  #waiting: Waiter[] = []

  setSlots(slots: number | null): void {
    this.#slots = slots
    this.#admit()
  }

  /**
   * Waits for the turn of a call whose questions have this many prompts. The call gets as many of them as the free slots
   * allow: all slots, or at least half of them. Rejects with the abort's reason.
   */
  async take(prompts: number[], signal: AbortSignal): Promise<Turn> {
    throwIfAborted(signal)
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        reject(abortError(signal))
        this.#admit()
      }
      const start = (turn: Turn) => {
        signal.removeEventListener("abort", onAbort)
        resolve(turn)
      }
      const waiter: Waiter = { prompts, passed: 0, start }
      signal.addEventListener("abort", onAbort)
      this.#waiting.push(waiter)
      this.#admit()
    })
  }

  /** How many slots calls have reserved. More than the engine has while single prompts wait there. */
  get used(): number {
    return this.#used
  }

  #admit(): void {
    for (;;) {
      const [first, ...others] = this.#waiting
      if (!first) return
      let next: Waiter | undefined = first
      let count = this.#fitting(first, true)
      if (count === 0) {
        if (first.passed >= this.#half) return
        next = others.find((other) => this.#fitting(other, false) > 0)
        if (!next) return
        count = this.#fitting(next, false)
        first.passed += total(next.prompts.slice(0, count))
      }
      this.#start(next, count)
    }
  }

  get #half(): number {
    return Math.ceil((this.#slots ?? 0) / 2)
  }

  /** Returns how many questions of a call can start now, from the first. */
  #fitting({ prompts }: Waiter, isFirst: boolean): number {
    if (this.#slots === null) return prompts.length
    const all = total(prompts)
    // The engine starts single prompts in the order of their arrival, so they may also wait there.
    if (isFirst && all <= 1) return prompts.length
    const free = this.#slots - this.#used
    const least = Math.max(Math.min(prompts[0] ?? 1, this.#slots), Math.min(all, this.#half))
    if (free < least) return 0
    // With all slots free, the engine itself reads more prompts group by group.
    if (free === this.#slots) return prompts.length
    let [count, sum] = [0, 0]
    while (count < prompts.length && sum + (prompts[count] ?? 0) <= free) sum += prompts[count++] ?? 0
    return count
  }

  #start(waiter: Waiter, count: number): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiter)
    const prompts = total(waiter.prompts.slice(0, count))
    const slots = Math.min(prompts, this.#slots ?? prompts)
    this.#used += slots
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      this.#used -= slots
      this.#admit()
    }
    waiter.start({ count, end })
  }
}
