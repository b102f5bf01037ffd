import type { RedisState } from "@/lib/server/platform/metrics"
import type { Payer } from "@/lib/server/platform/payer"

export interface PerSecond {
  key: number
  account: number
}

/** Where one request stands in its windows: what the `x-ratelimit-*` headers say, and whether it is refused at step 5. */
export interface WindowState {
  limit: number
  used: number
  remaining: number
  resetSeconds: number
  exceeded: boolean
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    rates: RateWindows
  }
}

/** Counts requests in windows of one clock second: `memoryWindows` for one process, `openRedisWindows` for several. */
export interface RateWindows {
  /** Counts one accepted request. A request over its own key's limit does not count against the account. */
  count(actor: Payer, perSecond: PerSecond): Promise<WindowState> | WindowState
  /** Counts one request of a caller without a key, by its address or another name; false when it is over the limit. */
  countAddress(address: string, perSecond: number): Promise<boolean> | boolean
  /** How the shared store is; null where there is none. */
  readonly redis: RedisState | null
  close(): Promise<void>
}

/** Both windows after counting → the tighter one: fewer requests left, a tie goes to the key (docs/decisions/0007). */
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

/** Windows of this process alone. Counts of a past second are dropped whole, so memory is bounded by one second's callers. */
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
  return {
    count({ accountId, keyId }, perSecond) {
      const keyUsed = add(`key:${keyId}`)
      const accountUsed =
        keyUsed > perSecond.key ? (counts.get(`account:${accountId}`) ?? 0) : add(`account:${accountId}`)
      return windowState(keyUsed, accountUsed, perSecond)
    },
    countAddress: (address, perSecond) => add(`address:${address}`) <= perSecond,
    redis: null,
    close: async () => {},
  }
}
