import type { Socket } from "node:net"
import { hasPipelined, isIdle } from "./pipeline-gate"

/** After this many parsed requests, `TurnBudget` pauses connections until the next turn of the event loop. */
const MAX_PER_TURN = 64

/**
 * Spreads bursts of pipelined requests over many turns of the event loop. Node parses each chunk of a connection to its end, up
 * to 2,000 requests, so chunks of many connections would delay everyone in one long turn. Only two kinds of connections wait:
 * those that have sent no request yet, and those that have pipelined.
 */
export class TurnBudget {
  #parsed = 0
  readonly #open = new Set<Socket>()
  readonly #paused = new Set<Socket>()

  add(socket: Socket): void {
    this.#open.add(socket)
    socket.once("close", () => {
      this.#open.delete(socket)
      this.#paused.delete(socket)
    })
  }

  /** Counts a parsed request. */
  count(): void {
    if (this.#parsed++ === 0) setImmediate(() => this.#nextTurn())
    if (this.#parsed === MAX_PER_TURN) this.#pauseOthers()
  }

  #pauseOthers(): void {
    for (const socket of this.#open) {
      // A connection with a request is paused and resumed by its body, or by its gate.
      if (socket.isPaused() || !isIdle(socket) || hasPipelined(socket) === false) continue
      this.#paused.add(socket)
      socket.pause()
    }
  }

  #nextTurn(): void {
    this.#parsed = 0
    for (const socket of this.#paused) socket.resume()
    this.#paused.clear()
  }
}
