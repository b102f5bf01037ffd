import { type ErrorCode, ServiceError } from "@/lib/shared/errors"
import { ConnectionFailure } from "./connection-failure"

const FAILURES_TO_OPEN = 3
/** What only an engine that answered can cause; anything else says nothing of the connection. */
const ANSWERED: ErrorCode[] = ["invalid_request", "capacity_exceeded", "upstream_error", "model_unavailable"]

/** Opens on three failed connections in a row, never on a status or a bad body. A probe's success closes it. */
export class Breaker {
  #failures = 0

  get isOpen(): boolean {
    return this.#failures >= FAILURES_TO_OPEN
  }

  /** The engine answered, whatever it said. */
  close(): void {
    this.#failures = 0
  }

  /** Notes how a request failed. True when this failure opened the breaker. */
  record(thrown: unknown): boolean {
    if (!(thrown instanceof ServiceError)) return false
    if (thrown.cause instanceof ConnectionFailure) return ++this.#failures === FAILURES_TO_OPEN
    if (!this.isOpen && ANSWERED.includes(thrown.code)) this.#failures = 0
    return false
  }
}
