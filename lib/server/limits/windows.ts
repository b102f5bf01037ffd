import type { Payer } from "@/lib/server/platform/actor"
import type { RedisState } from "@/lib/server/platform/gauges"
import { RetryTurns } from "./retry-turns"

/** The rate limits of a key and of its account, in requests per second. */
export interface PerSecond {
  key: number
  account: number
}

/** The windows after one request: the values of the `x-ratelimit-*` headers, and whether the request is refused. */
export interface WindowState {
  limit: number
  used: number
  remaining: number
  /** Seconds until the next window that is not full because of batches. 1 unless states of batches are still owed. */
  resetSeconds: number
  exceeded: boolean
  /** How long the client of a refused request should wait, in ms: until a window with room for what already waits. */
  retryAfterMs?: number
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    rates: RateWindows
  }
}

/** Counts requests in windows of one clock second, in memory for one process or in Redis for several. */
export interface RateWindows {
  /** Counts a request with an accepted key. One over its key's limit does not count against the account. */
  count(actor: Payer, perSecond: PerSecond): Promise<WindowState> | WindowState
  /**
   * Counts `more` requests of a batch whose first was admitted. What does not fit into this window is owed: it fills the following
   * ones, which stay closed until it is paid off. Returns the windows after that.
   */
  owe(actor: Payer, perSecond: PerSecond, more: number): Promise<WindowState> | WindowState
  /** Counts a request without a key under its client address or another name. Returns false when it is over the limit. */
  countAddress(address: string, perSecond: number): Promise<boolean> | boolean
  /** The state of the shared store. Null for windows in memory. */
  readonly redis: RedisState | null
  close(): Promise<void>
}

/** Requests of batches that later windows have to count, by limit. */
interface Owed {
  key: number
  account: number
}

const NOTHING_OWED: Owed = { key: 0, account: 0 }

/** Returns the window with fewer requests left, or the key's window if both have the same number (docs/decisions/0007). */
export function windowState(
  keyUsed: number,
  accountUsed: number,
  perSecond: PerSecond,
  owed: Owed = NOTHING_OWED,
): WindowState {
  const keyLeft = Math.max(0, perSecond.key - keyUsed)
  const accountLeft = Math.max(0, perSecond.account - accountUsed)
  const byKey = keyLeft <= accountLeft
  const closed = Math.max(Math.floor(owed.key / perSecond.key), Math.floor(owed.account / perSecond.account))
  return {
    limit: byKey ? perSecond.key : perSecond.account,
    used: byKey ? keyUsed : accountUsed,
    remaining: byKey ? keyLeft : accountLeft,
    resetSeconds: 1 + closed,
    exceeded: keyUsed > perSecond.key || accountUsed > perSecond.account,
  }
}

/** Adds to the window of a refused request when to send it again. */
export const withTurn = (
  window: WindowState,
  turns: RetryTurns,
  { accountId, keyId }: Payer,
  perSecond: PerSecond,
): WindowState => {
  if (!window.exceeded) return window
  const limits = [
    { id: `key:${keyId}`, perSecond: perSecond.key },
    { id: `account:${accountId}`, perSecond: perSecond.account },
  ]
  return { ...window, retryAfterMs: turns.next(limits, window.resetSeconds) }
}

/** Creates windows in this process's memory. Counts of past seconds are dropped, which bounds the memory. */
export const memoryWindows = (now: () => number = Date.now): RateWindows => new MemoryWindows(now)

class MemoryWindows implements RateWindows {
  readonly redis = null
  #second = 0
  #counts = new Map<string, number>()
  readonly #debts = new Map<string, { owed: number; perSecond: number }>()
  readonly #turns: RetryTurns

  constructor(private readonly now: () => number) {
    this.#turns = new RetryTurns(now)
  }

  count(payer: Payer, perSecond: PerSecond): WindowState {
    const [key, account] = [`key:${payer.keyId}`, `account:${payer.accountId}`]
    const keyUsed = this.#add(key)
    const accountUsed = keyUsed > perSecond.key ? (this.#counts.get(account) ?? 0) : this.#add(account)
    const owed = { key: this.#owed(key), account: this.#owed(account) }
    return withTurn(windowState(keyUsed, accountUsed, perSecond, owed), this.#turns, payer, perSecond)
  }

  owe(payer: Payer, perSecond: PerSecond, more: number): WindowState {
    const [key, account] = [`key:${payer.keyId}`, `account:${payer.accountId}`]
    const keyUsed = this.#owe(key, perSecond.key, more)
    const accountUsed = this.#owe(account, perSecond.account, more)
    return windowState(keyUsed, accountUsed, perSecond, { key: this.#owed(key), account: this.#owed(account) })
  }

  countAddress(address: string, perSecond: number): boolean {
    return this.#add(`address:${address}`) <= perSecond
  }

  async close(): Promise<void> {}

  #owed(id: string): number {
    return this.#debts.get(id)?.owed ?? 0
  }

  #add(id: string): number {
    this.#open()
    const used = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, used)
    return used
  }

  #owe(id: string, perSecond: number, more: number): number {
    this.#open()
    const used = this.#counts.get(id) ?? 0
    const fits = Math.min(more, Math.max(0, perSecond - used))
    this.#counts.set(id, used + fits)
    if (more > fits) this.#debts.set(id, { owed: this.#owed(id) + more - fits, perSecond })
    return used + fits
  }

  /** Begins the windows of the current second. What is owed fills them first. */
  #open(): void {
    const current = Math.floor(this.now() / 1000)
    if (current === this.#second) return
    const passed = Math.max(0, current - this.#second - 1)
    this.#second = current
    this.#counts = new Map()
    for (const [id, debt] of this.#debts) {
      const left = Math.max(0, debt.owed - passed * debt.perSecond)
      const used = Math.min(left, debt.perSecond)
      if (used > 0) this.#counts.set(id, used)
      debt.owed = left - used
      if (debt.owed === 0) this.#debts.delete(id)
    }
  }
}
