import { type ErrorCode, ServiceError } from "@/lib/shared/errors"

/** The cause of a `ServiceError` when the engine sent no response: refused, reset, unreachable or silent. */
export class ConnectionFailure extends Error {
  constructor(
    /** For the operator, such as "connection refused". */
    readonly kind: string,
    options?: ErrorOptions,
  ) {
    super(kind, options)
    this.name = "ConnectionFailure"
  }
}

const FAILURES_TO_OPEN = 3
/** Errors that prove that the engine responded. Others, such as an input that was found too long before any call, do not. */
const RESPONSE_ERRORS: ErrorCode[] = ["capacity_exceeded", "upstream_error", "model_unavailable"]

/**
 * Opens after three consecutive connection failures. An error status or a bad body does not count as one. While it is open,
 * `Monitor` probes the engine every `TIMING.whileDownMs`.
 */
export class Breaker {
  #failures = 0

  get isOpen(): boolean {
    return this.#failures >= FAILURES_TO_OPEN
  }

  /** Closes the breaker and resets its count. A response may call it only while the breaker is closed: an open one needs a probe. */
  close(): void {
    this.#failures = 0
  }

  /** Records why a request failed. Returns true when this failure opens the breaker. */
  record(thrown: unknown): boolean {
    // A request that timed out may have waited behind a long one. The probe decides whether the engine responds.
    if (!(thrown instanceof ServiceError) || thrown.code === "upstream_timeout") return false
    if (thrown.cause instanceof ConnectionFailure) return ++this.#failures === FAILURES_TO_OPEN
    if (!this.isOpen && RESPONSE_ERRORS.includes(thrown.code)) this.#failures = 0
    return false
  }
}
