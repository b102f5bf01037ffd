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
  /** Counts a request without a key under its client address or another name. Returns false when it is over the limit. */
  countAddress(address: string, perSecond: number): Promise<boolean> | boolean
  /** The state of the shared store. Null for windows in memory. */
  readonly redis: RedisState | null
  close(): Promise<void>
}

/** Returns the window with fewer requests left, or the key's window if both have the same number (docs/decisions/0007). */
export function windowState(keyUsed: number, accountUsed: number, perSecond: PerSecond): WindowState {
  const keyLeft = Math.max(0, perSecond.key - keyUsed)
  const accountLeft = Math.max(0, perSecond.account - accountUsed)
  const byKey = keyLeft <= accountLeft
  return {
    limit: byKey ? perSecond.key : perSecond.account,
    used: byKey ? keyUsed : accountUsed,
    remaining: byKey ? keyLeft : accountLeft,
    resetSeconds: 1,
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
  return { ...window, retryAfterMs: turns.next(limits) }
}

/** Creates windows in this process's memory. Counts of past seconds are dropped, which bounds the memory. */
export function memoryWindows(now: () => number = Date.now): RateWindows {
  let second = 0
  let counts = new Map<string, number>()
  const add = (id: string): number => {
    const current = Math.floor(now() / 1000)
    if (current !== second) {
      second = current
      counts = new Map()
    }
    const used = (counts.get(id) ?? 0) + 1
    counts.set(id, used)
    return used
  }
  const turns = new RetryTurns(now)
  return {
    count(payer, perSecond) {
      const { accountId, keyId } = payer
      const keyUsed = add(`key:${keyId}`)
      const accountUsed =
        keyUsed > perSecond.key ? (counts.get(`account:${accountId}`) ?? 0) : add(`account:${accountId}`)
      return withTurn(windowState(keyUsed, accountUsed, perSecond), turns, payer, perSecond)
    },
    countAddress: (address, perSecond) => add(`address:${address}`) <= perSecond,
    redis: null,
    close: async () => {},
  }
}
