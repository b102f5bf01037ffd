export interface ErrorBody {
  type: "invalid_request_error" | "idempotency_error" | "card_error" | "api_error" | "rate_limit_error"
  code?: string
  message: string
  param?: string
  decline_code?: string
  doc_url?: string
}

/** What Stripe answers instead of an object. */
export class StripeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly error: ErrorBody,
    readonly headers: Record<string, string> = {},
  ) {
    super(error.message)
    if (error.code) error.doc_url = `https://stripe.com/docs/error-codes/${error.code.replaceAll("_", "-")}`
  }
}

/** A 400 for a request that cannot be done as it stands. */
export const invalid = (message: string, more: { code?: string; param?: string } = {}): StripeRefusal =>
  new StripeRefusal(400, { type: "invalid_request_error", message, ...more })

/** A 404 for an id that nothing has; in the other mode it may exist, and Stripe says so. */
export function missing(noun: string, id: string, options: { param?: string; livemode?: boolean } = {}): StripeRefusal {
  const { param = "id", livemode } = options
  const [other, ours] = livemode ? ["test", "live"] : ["live", "test"]
  const hint =
    livemode === undefined
      ? ""
      : `; a similar object exists in ${other} mode, but a ${ours} mode key was used to make this request.`
  const message = `No such ${noun}: '${id}'${hint}`
  return new StripeRefusal(404, { type: "invalid_request_error", code: "resource_missing", message, param })
}

/** A 500 that retrying with the same idempotency key only replays, so Stripe tells its SDK not to. */
export const broken = (): StripeRefusal =>
  new StripeRefusal(
    500,
    { type: "api_error", message: "An unknown error occurred" },
    { "stripe-should-retry": "false" },
  )

/** A 402 as for a card that its bank refuses. */
export const declined = (): StripeRefusal =>
  new StripeRefusal(402, {
    type: "card_error",
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
  })
