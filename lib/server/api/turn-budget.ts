import type { Socket } from "node:net"
import { hasPipelined } from "./pipeline-gate"

/** How many requests are parsed in one turn of the event loop before connections wait for the next one. */
const MAX_PER_TURN = 64

/**
 * Spreads bursts of requests over many turns of the event loop, so that others are served in between. A connection that waited for
 * each of its responses so far never waits with the first slice of a chunk.
 */
export class TurnBudget {
  #parsed = 0
  /** What continues each connection that waits, in order of arrival. */
  readonly #waiting = new Map<Socket, () => void>()

  /** Counts a parsed request. */
  count(): void {
    if (this.#parsed++ === 0) setImmediate(() => this.#nextTurn())
  }

  /** Returns true if a connection may parse a slice now. Otherwise `proceed` is called in a later turn. */
  mayParse(socket: Socket, isFirst: boolean, proceed: () => void): boolean {
    if (this.#parsed < MAX_PER_TURN || (isFirst && hasPipelined(socket) === false)) return true
    this.#waiting.set(socket, proceed)
    return false
  }

  #nextTurn(): void {
    this.#parsed = 0
    for (const [socket, proceed] of this.#waiting) {
      if (this.#parsed >= MAX_PER_TURN) return
      this.#waiting.delete(socket)
      proceed()
    }
  }
}
