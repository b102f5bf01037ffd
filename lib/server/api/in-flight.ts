import type { IncomingMessage, ServerResponse } from "node:http"
import { ServiceError } from "@/lib/shared/errors"
import { BodyBudget } from "./body-budget"
import { BodyTicks } from "./body-ticks"
import { ClientSlots } from "./client-slots"
import { waitedMs } from "./pipeline-gate"

/** Time limits of a request, in ms after its headers were read. The time that it waits for others of its connection counts. */
export interface Deadlines {
  /** After this the response is 504 (spec.md, "Timeouts"), unless the charge has started. */
  answerMs: number
  /** After this the connection is cut. */
  totalMs: number
}

/** With 10 s for the headers, checked every 2 s, every request to a route ends within 120 s. */
const DEADLINES: Deadlines = { answerMs: 90_000, totalMs: 108_000 }

/** The abort reason of a request whose client left. It is recorded as 499 and gets no response. */
export class ClientGone extends Error {}

/** The requests that are being answered. A signal aborts each at its deadline, at shutdown, or when its client leaves. */
export class InFlight {
  readonly ticks = new BodyTicks()
  /** Bounds the token counts of large bodies, which cost nothing: one per account, and 4 in all. */
  readonly largeCounts = new ClientSlots(1, 4)
  readonly #open = new Map<ServerResponse, (reason: unknown) => void>()

  constructor(
    private readonly deadlines = DEADLINES,
    readonly bodies = new BodyBudget(),
  ) {}

  get count(): number {
    return this.#open.size
  }

  /** Cuts the connection of a response that is not finished in time: the total time unless given. */
  limit(response: ServerResponse, ms = this.deadlines.totalMs): void {
    const total = setTimeout(() => response.destroy(), ms - waitedMs(response))
    response.once("close", () => clearTimeout(total))
  }

  /** Cuts the connection of a request that has not arrived completely within the total time. */
  limitUpload(request: IncomingMessage): void {
    const { socket } = request
    const total = setTimeout(() => request.complete || socket.destroy(), this.deadlines.totalMs)
    request.once("close", () => clearTimeout(total))
  }

  /** Watches a request until its response closes. If it must end early, `onEnd` gets the error, then the signal aborts with it. */
  watch(response: ServerResponse, onEnd: (reason: unknown) => void): AbortSignal {
    const controller = new AbortController()
    const end = (reason: unknown) => {
      if (controller.signal.aborted) return
      onEnd(reason)
      controller.abort(reason)
    }
    const leftMs = this.deadlines.answerMs - waitedMs(response)
    const deadline = setTimeout(() => end(new ServiceError("upstream_timeout")), leftMs)
    this.#open.set(response, end)
    response.once("close", () => {
      clearTimeout(deadline)
      this.#open.delete(response)
      if (!response.writableFinished) end(new ClientGone("the client left"))
    })
    return controller.signal
  }

  /** Ends a request with this error. Returns false when the request is not watched. */
  end(response: ServerResponse, reason: unknown): boolean {
    const end = this.#open.get(response)
    end?.(reason)
    return end !== undefined
  }

  /** Ends every watched request with 503 and releases its hold. A request whose charge has started gets its outcome. */
  abortAll(): void {
    for (const end of this.#open.values()) end(new ServiceError("model_unavailable"))
  }
}
