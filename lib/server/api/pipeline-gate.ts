import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How many responses of one connection may be unfinished. Further pipelined requests wait, and nothing more is read. */
const MAX_UNFINISHED = 4

const waits = new WeakMap<ServerResponse, number>()

/** Returns how long a request waited for others of its connection before it was handled, in ms. */
export const waitedMs = (response: ServerResponse): number => waits.get(response) ?? 0

/** Bounds the work that one connection can cause at once. An honest client that pipelines more gets every response. */
class PipelineGate {
  readonly #unfinished = new Set<ServerResponse>()
  readonly #waiting: (() => void)[] = []
  /** True once a request of this connection had to wait. */
  hasPipelined = false

  constructor(private readonly socket: Socket) {
    // Reading a request's body resumes the socket. The requests that wait have been parsed, so they need no more bytes.
    socket.on("resume", () => this.#waiting.length > 0 && socket.pause())
    socket.once("close", () => this.#abandon())
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  get unfinished(): number {
    return this.#unfinished.size
  }

  run(response: ServerResponse, work: () => void): void {
    if (this.#unfinished.size < MAX_UNFINISHED && this.#waiting.length === 0) this.#start(response, work)
    else {
      this.hasPipelined = true
      const since = performance.now()
      this.#waiting.push(() => {
        waits.set(response, performance.now() - since)
        this.#start(response, work)
      })
      this.socket.pause()
    }
  }

  #start(response: ServerResponse, work: () => void): void {
    this.#unfinished.add(response)
    response.once("close", () => {
      this.#unfinished.delete(response)
      // After a response that closes the connection, Node sends no other.
      if (this.socket.destroyed || this.socket.writableEnded) return
      this.#waiting.shift()?.()
      if (this.#waiting.length === 0 && this.socket.isPaused()) this.socket.resume()
    })
    // A request whose body is malformed can be refused while it waits.
    if (!response.headersSent) work()
  }

  /** Closes the responses that a closed connection leaves. Node closes only the one that it was sending. */
  #abandon(): void {
    this.#waiting.length = 0
    for (const response of [...this.#unfinished]) {
      if (response.socket || response.closed) continue
      response.destroy()
      response.emit("close")
    }
  }
}

const gates = new WeakMap<Socket, PipelineGate>()

function gateOf(socket: Socket): PipelineGate {
  const known = gates.get(socket)
  if (known) return known
  const gate = new PipelineGate(socket)
  gates.set(socket, gate)
  return gate
}

/** Runs `work` once fewer than 4 responses of the request's connection are unfinished. Never runs it on a closed connection. */
export const throughGate = ({ socket }: IncomingMessage, response: ServerResponse, work: () => void): void =>
  gateOf(socket).run(response, work)

/** Returns true once a request of this connection had to wait for others, and undefined before its first request. */
export const hasPipelined = (socket: Socket): boolean | undefined => gates.get(socket)?.hasPipelined

/** Returns true while requests of this connection wait for others. */
export const hasWaiting = (socket: Socket): boolean => gates.get(socket)?.hasWaiting ?? false

/** Returns true for a connection without an unfinished response. */
export const isIdle = (socket: Socket): boolean => (gates.get(socket)?.unfinished ?? 0) === 0
