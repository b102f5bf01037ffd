export interface ErrorBody {
  type: "invalid_request_error" | "idempotency_error" | "card_error" | "api_error" | "rate_limit_error"
  code?: string
  message: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: object
  payment_method?: object
  doc_url?: string
}

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

export const invalid = (message: string, more: { code?: string; param?: string } = {}): StripeRefusal =>
  new StripeRefusal(400, { type: "invalid_request_error", message, ...more })

/** Returns a 404 for an unknown id. With `livemode`, the message hints at an object of the other mode, as Stripe's does. */
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

/** Returns a 500 that the SDK must not retry, since its idempotency key would replay it. */
export const broken = (): StripeRefusal =>
  new StripeRefusal(
    500,
    { type: "api_error", message: "An unknown error occurred" },
    { "stripe-should-retry": "false" },
  )
