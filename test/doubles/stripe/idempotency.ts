import { StripeRefusal } from "./errors"

export interface Answer {
  status: number
  body: string
  headers: Record<string, string>
}

interface Kept {
  path: string
  form: string
  atMs: number
  requestId: string
  /** Null while the first request is in progress. */
  answer: Answer | null
}

const KEPT_MS = 24 * 60 * 60 * 1000
const MAX_KEY_LENGTH = 255

const mistaken = (message: string, status = 400, code?: string): StripeRefusal =>
  new StripeRefusal(
    status,
    { type: "idempotency_error", message, code },
    status === 409 ? { "stripe-should-retry": "true" } : {},
  )

/**
 * Stripe's idempotency keys: for 24 hours, an equal request with a key gets the response of the first, even a 500. Requests that
 * were refused before any work began are not stored.
 */
export class IdempotencyKeys {
  readonly #kept = new Map<string, Kept>()

  constructor(private readonly nowMs: () => number) {}

  /** Begins a request. Returns the stored response to replay, or null for the first request. Throws Stripe's 400 or 409. */
  begin(key: string, scope: string, request: { path: string; form: string; requestId: string }): Answer | null {
    if (key.length > MAX_KEY_LENGTH) throw mistaken(`Idempotency keys have at most ${MAX_KEY_LENGTH} characters.`)
    const { path, form, requestId } = request
    const kept = this.#kept.get(`${scope} ${key}`)
    if (!kept || this.nowMs() - kept.atMs > KEPT_MS) {
      this.#kept.set(`${scope} ${key}`, { path, form, requestId, atMs: this.nowMs(), answer: null })
      return null
    }
    const other = `Try using a key other than '${key}' if you meant to execute a different request.`
    if (kept.path !== path)
      throw mistaken(
        `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${kept.path}'). ${other}`,
      )
    if (kept.form !== form)
      throw mistaken(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. ${other}`,
      )
    if (!kept.answer)
      throw mistaken(
        `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
        409,
        "idempotency_key_in_use",
      )
    const headers = { ...kept.answer.headers, "idempotent-replayed": "true", "original-request": kept.requestId }
    return { ...kept.answer, headers }
  }

  keep(key: string, scope: string, answer: Answer): void {
    const kept = this.#kept.get(`${scope} ${key}`)
    if (kept) kept.answer = answer
  }

  forget(key: string, scope: string): void {
    this.#kept.delete(`${scope} ${key}`)
  }
}
