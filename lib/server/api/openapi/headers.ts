/** The rate-limit headers, which describe the tighter of the key's and the account's window. */
const RATE: Record<string, string> = {
  "x-ratelimit-limit": "Requests allowed in a window of one second.",
  "x-ratelimit-remaining": "Requests left in the current window.",
  "x-ratelimit-used": "Requests made in the current window.",
  "x-ratelimit-reset": "Whole seconds until the window resets.",
}

const whole = { type: "integer", minimum: 0 }
const required = (headers: Record<string, object>) =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, { ...header, required: true }]))

const rate = Object.fromEntries(
  Object.entries(RATE).map(([name, description]) => [
    name,
    {
      description: `${description} Key or account, whichever is tighter; on every response once the key is accepted.`,
      schema: whole,
    },
  ]),
)

/** A header of every response. A client's own value is ignored. */
export const REQUEST_ID = {
  ...required({
    "x-request-id": {
      description: "The service's own id of this response.",
      schema: { type: "string", pattern: "^req_[0-9a-z]{26}$" },
    },
  }),
  "x-typesafe-request-id": {
    description: "The same id again, for clients written for System One.",
    schema: { type: "string", pattern: "^req_[0-9a-z]{26}$" },
  },
}

/** A header of an answer that was computed again for the charge of its `Idempotency-Key`. */
export const REPLAYED = {
  "Idempotent-Replayed": {
    description: "`true` when the key was charged before: this answer was computed again and costs nothing.",
    schema: { type: "string", const: "true" },
  },
}

/** The headers of every response after the key was accepted. */
export const RATE_LIMITS = required(rate)

/** The same headers as optional ones, for a status that is also possible before the key is accepted. */
export const RATE_LIMITS_ONCE_ACCEPTED = rate

export const RETRY_AFTER = required({
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
})
