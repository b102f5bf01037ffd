import type { ServerResponse } from "node:http"
import { ServiceError } from "@/lib/shared/errors"
import { BodyBudget } from "./body-budget"

/** How long a request may take, in ms after its headers were read. */
export interface Deadlines {
  /** Then the answer is 504 (spec.md, "Timeouts"), unless its charge is under way. */
  answerMs: number
  /** Then its connection is cut, whoever is slow. */
  totalMs: number
}

/** With 10 s for the headers no request is held open for 120 s. */
const DEADLINES: Deadlines = { answerMs: 90_000, totalMs: 108_000 }

/** Thrown into a request whose client went away: nobody reads the answer, the log shows it. */
export class ClientGone extends Error {}

/** The requests that are being answered: each has a signal that ends it by deadline, stop, or when its client leaves. */
export class InFlight {
  readonly #open = new Map<ServerResponse, (reason: unknown) => void>()

  constructor(
    private readonly deadlines = DEADLINES,
    /** What their bodies take in memory. */
    readonly bodies = new BodyBudget(),
  ) {}

  get count(): number {
    return this.#open.size
  }

  /** Cuts the connection of a response that is not through within the total time. */
  limit(response: ServerResponse): void {
    const total = setTimeout(() => response.destroy(), this.deadlines.totalMs)
    response.once("close", () => clearTimeout(total))
  }

  /** Watches one request until its response closes. `onEnd` is told what to answer, then the signal aborts with it. */
  watch(response: ServerResponse, onEnd: (reason: unknown) => void): AbortSignal {
    const controller = new AbortController()
    const end = (reason: unknown) => {
      if (controller.signal.aborted) return
      onEnd(reason)
      controller.abort(reason)
    }
    const deadline = setTimeout(() => end(new ServiceError("upstream_timeout")), this.deadlines.answerMs)
    this.#open.set(response, end)
    response.once("close", () => {
      clearTimeout(deadline)
      this.#open.delete(response)
      if (!response.writableFinished) end(new ClientGone("the client went away"))
    })
    return controller.signal
  }

  /** Ends one request with this; false when it is not watched. */
  end(response: ServerResponse, reason: unknown): boolean {
    const end = this.#open.get(response)
    end?.(reason)
    return end !== undefined
  }

  /** Ends what is still running: each hold is released, each client gets 503. */
  abortAll(): void {
    for (const end of this.#open.values()) end(new ServiceError("model_unavailable"))
  }
}
