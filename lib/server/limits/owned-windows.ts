import type { Payer } from "@/lib/server/platform/actor"
import type { PerSecond, RateWindows, WindowState } from "./windows"

/** What to count: a request with an accepted key, `more` requests of its batch, or one under a client address or another name. */
export type Count =
  | { accountId: string; keyId: string; perSecond: PerSecond; more?: number }
  | { address: string; perSecond: number }

/** The window of a request with a key. For an address: whether the request is within the limit. */
export type Counted = WindowState | boolean

/** Counts the requests of another process in this process's windows. The results are in the order of the requests. */
export const countAll = (windows: RateWindows, counts: Count[]): Promise<Counted[]> =>
  Promise.all(
    counts.map((count) => {
      if ("address" in count) return windows.countAddress(count.address, count.perSecond)
      if (count.more === undefined) return windows.count(count, count.perSecond)
      return windows.owe(count, count.perSecond, count.more)
    }),
  )

/**
 * Windows that another process of this machine owns. The requests of one tick of the event loop are sent together. The owner's
 * results arrive in the order of the requests.
 */
export class OwnedWindows implements RateWindows {
  readonly redis = null
  #unsent: Count[] = []
  readonly #waiting: ((counted: Counted) => void)[] = []

  constructor(private readonly send: (counts: Count[]) => void) {}

  count({ accountId, keyId }: Payer, perSecond: PerSecond): Promise<WindowState> {
    return this.#ask({ accountId, keyId, perSecond }) as Promise<WindowState>
  }

  owe({ accountId, keyId }: Payer, perSecond: PerSecond, more: number): Promise<WindowState> {
    return this.#ask({ accountId, keyId, perSecond, more }) as Promise<WindowState>
  }

  countAddress(address: string, perSecond: number): Promise<boolean> {
    return this.#ask({ address, perSecond }) as Promise<boolean>
  }

  /** Receives the results of the oldest requests that wait. */
  receive(results: Counted[]): void {
    const settled = this.#waiting.splice(0, results.length)
    for (const [i, counted] of results.entries()) settled[i]?.(counted)
  }

  async close(): Promise<void> {}

  #ask(count: Count): Promise<Counted> {
    if (this.#unsent.push(count) === 1) setImmediate(() => this.send(this.#unsent.splice(0)))
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
