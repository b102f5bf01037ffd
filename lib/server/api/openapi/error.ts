import { z } from "zod"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"

const usd = (description: string) =>
  z
    .string()
    .regex(/^-?[0-9]+\.[0-9]{6}$/)
    .meta({ description: `${description} USD, six decimals.` })

const param = z.string().meta({
  description: "The path of the offending field. Names of questions and options may appear in it, never a value.",
  examples: ["model", "body", "questions", "questions.refund.criteria", "questions.topic.criteria.billing"],
})

/** The members that an error has in addition to `message`, `type` and `code`. */
const MEMBERS: Partial<Record<ErrorCode, z.ZodRawShape>> = {
  invalid_request: {
    param: param.optional().meta({
      description: "Absent when the model rejected the input, usually because it exceeds the input-length limit.",
    }),
  },
  invalid_model: {
    param: z.literal("model"),
    valid_models: z.array(z.string()).meta({ description: "The ids that can be called." }),
  },
  insufficient_balance: {
    required_usd: usd("The amount that the request reserves."),
    available_usd: usd("The rest of the balance; it can be negative."),
    topup_url: z
      .url()
      .nullable()
      .meta({ description: "Where to add credit in the console; null while top-ups are unavailable." }),
  },
  key_limit_reached: {
    limit_usd: usd("The key's spend limit."),
    resets_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: "The start of the key's next spend period, UTC; null for a lifetime limit." }),
  },
  model_retired: {
    replacement_model: z.string().nullable().meta({ description: "The successor, or null when there is none." }),
  },
  request_too_large: { param: z.literal("body") },
}

/** Returns the name of an error's schema, such as `NotFound` for `not_found`. */
export const schemaName = (code: ErrorCode): string =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The error codes of the API. The others belong to the console and the management APIs. */
export const API_CODES = (Object.keys(errorTable) as ErrorCode[]).filter(
  (code) =>
    !["signed_out", "confirmation_required", "account_switched", "precondition_failed", "forbidden"].includes(code),
)

const CONDITIONS: Partial<Record<ErrorCode, string>> = {
  invalid_request:
    "The request breaks a rule or a limit, has an unknown field, a duplicate key or invalid JSON (`param` is `body`); or an `Idempotency-Key` that was used for another body; or, without `param`, the model rejected the input, which the service never shortens. Do not retry unchanged.",
  invalid_api_key: "The key is missing, invalid, expired or revoked.",
  insufficient_balance: "The balance is zero or negative, or more than 0.01 USD short of what the request reserves.",
  key_limit_reached:
    "The request would take the key past its spend limit, counting its charges in the period and its requests in flight. With a null `resets_at` a new key is needed.",
  model_retired: "Call `replacement_model`, or another active id or the alias when it is null.",
  request_too_large: "The body is over the global limit or the model's own.",
  rate_limited: "The rate limit of the key or the account, or of the client's address for `GET /v1/models`.",
  capacity_exceeded:
    "The model is at capacity, whatever the caller's own limits, or another request with the same `Idempotency-Key` is being answered.",
  model_unavailable: "Retry with backoff, or call another id. No other model answers in its place.",
  upstream_timeout: "A 504 without a JSON body is the same condition.",
}

function errorSchema(code: ErrorCode) {
  const { type, message } = errorTable[code]
  const name = schemaName(code)
  const error = z
    .strictObject({
      message: z.string().meta({ description: "For people; it may change, and never holds request content." }),
      type: z.literal(type),
      code: z.literal(code),
      ...MEMBERS[code],
    })
    .meta({ id: `${name}Detail` })
  return z.strictObject({ error }).meta({ id: name, description: CONDITIONS[code] ?? message })
}

API_CODES.forEach(errorSchema)
