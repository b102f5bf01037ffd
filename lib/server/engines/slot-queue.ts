import { abortError, throwIfAborted } from "./abort"

/** The engine's slots for a call. */
export interface Slots {
  /** The number of its questions that the call may send now, from the first. At least one. */
  count: number
  /** Ends the call. */
  end(): void
}

/** How one process, or several together, used the slots of an engine. */
export interface SlotUse {
  /** The most slots used since the last report. A process adds those that it waits for, up to its share. */
  used: number
  /** Whether there were calls of several prompts. */
  isWide: boolean
}

interface Waiter {
  /** How many prompts the engine reads for each question. */
  prompts: number[]
  /** Prompts of later calls that went first. */
  passed: number
  start(slots: Slots): void
}

/** In reports, of which there is one per second. */
const MAX_EXCESS = 10
const NO_OTHERS = { used: 0, isWide: false, processes: 0 }

const total = (prompts: number[]): number => prompts.reduce((sum, count) => sum + count, 0)

/**
 * Sends calls to one engine in the order of their arrival, each when enough of the engine's slots are free. All models of this
 * process at the address share it. Otherwise llama.cpp would let later calls overtake one of several prompts, which it starts only
 * when a slot is free for each. Smaller calls may pass one that waits, up to half as many prompts as there are slots. Other
 * processes that use the engine keep their share (docs/decisions/0063).
 */
export class SlotQueue {
  /** Null: the engine does not report its slots, and calls go at once. */
  #slots: number | null = null
  #used = 0
  /** Running calls of several prompts. */
  #wide = 0
  #waiting: Waiter[] = []
  #peak: SlotUse = { used: 0, isWide: false }
  #others: SlotUse & { processes: number } = NO_OTHERS
  /** Consecutive reports of others that use more than their share. */
  #excess = 0

  /** `takeFromOwner` takes the slots of a queue that another process owns, which also reports the use of all its workers. */
  constructor(private readonly takeFromOwner: SlotQueue["take"] | null = null) {}

  setSlots(slots: number | null): void {
    this.#slots = slots
    this.#admit()
  }

  /**
   * Waits for slots for a call whose questions have this many prompts. A call of several prompts starts when all of them fit into
   * the free slots, or when half of the slots are free and its first question fits. Rejects with the abort's reason.
   */
  async take(prompts: number[], signal: AbortSignal): Promise<Slots> {
    throwIfAborted(signal)
    if (this.takeFromOwner && this.#slots !== null) return this.takeFromOwner(prompts, signal)
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        reject(abortError(signal))
        this.#admit()
      }
      const start = (slots: Slots) => {
        signal.removeEventListener("abort", onAbort)
        resolve(slots)
      }
      const waiter: Waiter = { prompts, passed: 0, start }
      signal.addEventListener("abort", onAbort)
      this.#waiting.push(waiter)
      this.#admit()
    })
  }

  /**
   * Returns the use since the last call, including what this process waits for within its share. Null without any, and when the
   * engine reports no slots.
   */
  takeUse(): SlotUse | null {
    const { used: peak, isWide } = this.#peak
    const waiting = this.#waiting.flatMap(({ prompts }) => prompts)
    this.#peak = { used: this.#used, isWide: this.#wide > 0 || this.#waiting.some(({ prompts }) => total(prompts) > 1) }
    if (this.#slots === null || this.takeFromOwner) return null
    const wanted = Math.min(this.#used + total(waiting), this.#share(this.#slots))
    const used = Math.min(Math.max(peak, wanted), this.#slots)
    return used === 0 ? null : { used, isWide }
  }

  /**
   * Records what other processes use together. This process leaves those slots to them, up to an even share for each. Without
   * calls of several prompts anywhere, the engine's own queue is enough. Null: there are no others.
   */
  setOthers(others: (SlotUse & { processes: number }) | null): void {
    this.#others = others ?? NO_OTHERS
    const { used, isWide } = this.#others
    const isExcess = this.#slots !== null && isWide && used > this.#slots - this.#share(this.#slots)
    this.#excess = isExcess ? this.#excess + 1 : 0
    this.#admit()
  }

  /** The slots that calls have reserved. More than the engine has while single prompts wait in its own queue. */
  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#waiting.length
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
    if (isFirst && all <= 1 && !this.#others.isWide) return prompts.length
    const ours = this.#slots - this.#leftToOthers(this.#slots)
    const free = ours - this.#used
    const least = Math.max(Math.min(prompts[0] ?? 1, ours), Math.min(all, this.#half, ours))
    if (free < 1 || free < least) return 0
    // With all slots free, the engine itself reads more prompts group by group.
    if (free === this.#slots) return prompts.length
    let [count, sum] = [0, 0]
    while (count < prompts.length && sum + (prompts[count] ?? 0) <= free) sum += prompts[count++] ?? 0
    // A question with more prompts than this process's share starts when all of that is free.
    return Math.max(1, count)
  }

  /** An even share of the slots for this process. At least one. */
  #share(slots: number): number {
    return Math.max(1, Math.floor(slots / (this.#others.processes + 1)))
  }

  /**
   * Calls that others made before they knew of this process may need more slots than their share. They get them for a few reports,
   * because they cannot start otherwise. Later calls are smaller.
   */
  #leftToOthers(slots: number): number {
    if (this.#excess > 0 && this.#excess <= MAX_EXCESS) return slots
    return Math.min(this.#others.used, slots - this.#share(slots))
  }

  #start(waiter: Waiter, count: number): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiter)
    const prompts = total(waiter.prompts.slice(0, count))
    const slots = Math.min(prompts, this.#slots ?? prompts)
    this.#used += slots
    const wide = prompts > 1 ? 1 : 0
    this.#wide += wide
    this.#peak = { used: Math.max(this.#peak.used, this.#used), isWide: this.#peak.isWide || prompts > 1 }
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      this.#used -= slots
      this.#wide -= wide
      this.#admit()
    }
    waiter.start({ count, end })
  }
}
