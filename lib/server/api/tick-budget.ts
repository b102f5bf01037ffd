import type { Socket } from "node:net"
import { hasPipelined } from "./pipeline-gate"

/** How many requests are parsed in one tick of the event loop before connections wait for the next one. */
const MAX_PER_TICK = 64
/** How long a tick may last before connections wait, in ms. A decision takes several ticks, so this delays it several times. */
const MAX_TICK_MS = 1

/**
 * Spreads bursts of requests over many ticks of the event loop, so that others are served in between. Never delays a connection
 * that has sent a request and never had more than four unfinished ones.
 */
export class TickBudget {
  #parsed = 0
  #beganAt = 0
  /** What continues each connection that waits, in order of arrival. */
  readonly #waiting = new Map<Socket, () => void>()

  /** Counts a parsed request. */
  count(): void {
    if (this.#parsed++ > 0) return
    this.#beganAt = performance.now()
    setImmediate(() => this.#nextTick())
  }

  /** Returns true if a connection may parse a slice now. Otherwise `proceed` is called in a later tick. */
  mayParse(socket: Socket, proceed: () => void): boolean {
    if (hasPipelined(socket) === false || !this.#isSpent()) return true
    this.#waiting.set(socket, proceed)
    return false
  }

  #isSpent(): boolean {
    if (this.#parsed === 0) return false
    return this.#parsed >= MAX_PER_TICK || performance.now() - this.#beganAt >= MAX_TICK_MS
  }

  #nextTick(): void {
    this.#parsed = 0
    for (const [socket, proceed] of this.#waiting) {
      if (this.#isSpent()) return
      this.#waiting.delete(socket)
      proceed()
    }
  }
}
