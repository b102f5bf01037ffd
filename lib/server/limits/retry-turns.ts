/** No delay is longer than this, because the official clients stop after 30 s in all. */
const MAX_WINDOWS = 20
/** Retries of one window are spread over this part of it. The rest is for their way here. */
const SPREAD_MS = 700

/** The last window in which retries are expected, in clock seconds, and how many. */
interface Last {
  second: number
  count: number
}

/** Who waits, and how many requests each of its windows admits. */
export interface Turn {
  id: string
  perSecond: number
}

/**
 * Gives each refused request a time for its retry, so that every window gets as many retries as it admits. The time reserves
 * nothing: windows admit requests in order of arrival.
 */
export class RetryTurns {
  #lasts = new Map<string, Last>()
  #second = 0

  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Returns how long a refused request should wait, in ms, until a window that has room under each of its limits. The windows of the
   * next `closedSeconds - 1` seconds have none.
   */
  next(limits: Turn[], closedSeconds = 1): number {
    const nowMs = this.now()
    const current = Math.floor(nowMs / 1000)
    if (current !== this.#second) this.#forget(current)
    const lasts = limits.map(({ id, perSecond }) => this.#lastOf(id, perSecond, current + closedSeconds))
    const latest = Math.max(...lasts.map(({ second }) => second))
    const second = Math.min(latest, current + MAX_WINDOWS)
    let place = 0
    for (const [i, { id, perSecond }] of limits.entries()) {
      const last = lasts[i]
      const count = last?.second === latest ? last.count : 0
      if (second === latest) this.#lasts.set(id, { second, count: count + 1 })
      place = Math.max(place, Math.min(1, count / perSecond))
    }
    return second * 1000 - nowMs + Math.round(SPREAD_MS * (second === latest ? place : Math.random()))
  }

  /** Returns the last window with a promise, from `first` on, or the one after it when it is full. */
  #lastOf(id: string, perSecond: number, first: number): Last {
    const last = this.#lasts.get(id)
    if (!last || last.second < first) return { second: first, count: 0 }
    return last.count < perSecond ? last : { second: last.second + 1, count: 0 }
  }

  /** Drops what nobody waits for any more, which bounds the memory. */
  #forget(current: number): void {
    this.#second = current
    for (const [id, { second }] of this.#lasts) if (second <= current) this.#lasts.delete(id)
  }
}
