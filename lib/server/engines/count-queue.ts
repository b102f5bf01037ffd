import type { Caller } from "./engine"
import { FairQueue } from "./fair-queue"
import { type BilledText, textBytes } from "./token-count"

/** More calls than one request makes at once, and far fewer than the connections to an engine. */
const SHORT_CALLS = 16
/** Many engines tokenize in one thread, which a text of several MiB blocks for seconds. A second text is sent meanwhile. */
const LONG_CALLS = 2
const SHORT_BYTES = 65_536

/**
 * The queue of calls to an engine's `/tokenize`, some of which come before the hold and cost nothing. Accounts take turns. An account with many texts
 * delays another by the running calls and one more. Short texts do not wait for long ones.
 */
export class CountQueue {
  // Running requests bound how many calls wait. Refusing some here would refuse requests that could be answered.
  readonly #short = new FairQueue(SHORT_CALLS, Number.POSITIVE_INFINITY)
  readonly #long = new FairQueue(LONG_CALLS, Number.POSITIVE_INFINITY)

  /**
   * Makes a call about a text when the caller's account has a place. Rejects with the abort's reason, or with what the caller's
   * `authorize` or `call` throws.
   */
  async run<T>(text: BilledText, signal: AbortSignal, call: () => Promise<T>, caller?: Caller): Promise<T> {
    const queue = textBytes(text) > SHORT_BYTES ? this.#long : this.#short
    const leave = await queue.enter(caller?.accountId ?? "", signal)
    try {
      await caller?.authorize?.()
      return await call()
    } finally {
      leave()
    }
  }
}
