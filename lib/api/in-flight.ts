import type { ServerResponse } from "node:http"
import { ServiceError } from "../errors"

const DEADLINE_MS = 90_000

/** Thrown into a request whose client went away: nobody reads the answer, the log shows it. */
export class ClientGone extends Error {}

/** The requests that are being answered: each has a signal that ends it by deadline, stop, or when its client leaves. */
export class InFlight {
  readonly #open = new Set<AbortController>()

  get count(): number {
    return this.#open.size
  }

  /** Watches one request until its response closes. The signal's reason is what to answer. */
  watch(response: ServerResponse): AbortSignal {
    const controller = new AbortController()
    const deadline = setTimeout(() => controller.abort(new ServiceError("upstream_timeout")), DEADLINE_MS)
    this.#open.add(controller)
    response.once("close", () => {
      clearTimeout(deadline)
      this.#open.delete(controller)
      if (!response.writableFinished) controller.abort(new ClientGone("the client went away"))
    })
    return controller.signal
  }

  /** Ends what is still running: each hold is released, each client gets 503. */
  abortAll(): void {
    for (const controller of this.#open) controller.abort(new ServiceError("model_unavailable"))
  }
}
