/** The rate-limit headers, which describe the tighter of the key's and the account's window. */
const RATE_DESCRIPTIONS: Record<string, string> = {
  "x-ratelimit-limit": "Requests allowed in a window of one second.",
  "x-ratelimit-remaining": "Requests left in the current window.",
  "x-ratelimit-used": "Requests made in the current window.",
  "x-ratelimit-reset": "Whole seconds until the window resets, or until a batch is paid off.",
}

const whole = { type: "integer", minimum: 0 }
const required = (headers: Record<string, object>) =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, { ...header, required: true }]))

const rateHeaders = Object.fromEntries(
  Object.entries(RATE_DESCRIPTIONS).map(([name, description]) => [
    name,
    {
      description: `${description} Describes the limit of the key or of the account, whichever is tighter. Present on every response after the key is accepted.`,
      schema: whole,
    },
  ]),
)

/** The header with the request's id. The service ignores the value that a client sends. */
export const REQUEST_ID = required({
  "x-request-id": {
    description: "The service's id of this request.",
    schema: { type: "string", pattern: "^req_[0-9a-z]{26}$" },
  },
})

/** The same id, which the routes under `/v1` send twice. */
export const REQUEST_IDS = {
  ...REQUEST_ID,
  "x-typesafe-request-id": {
    description: "The same id again, for clients written for System One.",
    schema: { type: "string", pattern: "^req_[0-9a-z]{26}$" },
  },
}

/** The header of a response to a repeated `Idempotency-Key`. The answer was computed again without a charge. */
export const REPLAYED = {
  "Idempotent-Replayed": {
    description: "`true` when this `Idempotency-Key` was charged before. The answer was computed again at no cost.",
    schema: { type: "string", const: "true" },
  },
}

/** The headers of every response after the key was accepted. */
export const RATE_LIMITS = required(rateHeaders)

/** The same headers as optional ones, for a status that is also possible before the key is accepted. */
export const RATE_LIMITS_ONCE_ACCEPTED = rateHeaders

/** The header of every 200 of a decision. */
export const COST = required({
  "x-svc-cost-usd": {
    description: "What the request was charged, in USD, exact: zero for an answer that was computed again.",
    schema: { type: "string", pattern: "^[0-9]+\\.[0-9]{12}$" },
  },
})

export const RETRY_AFTER = required({
  "Retry-After": { description: "Seconds to wait before the next request.", schema: { type: "integer", minimum: 1 } },
  "retry-after-ms": {
    description:
      "Milliseconds to wait, for clients that read it before `Retry-After`. Requests that were refused together get different times, each in a window that has room for it.",
    schema: { type: "integer", minimum: 1 },
  },
})
