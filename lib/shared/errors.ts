import { type FieldPath, paramOf } from "@/lib/shared/json/field-path"

/**
 * Every error that a client can see: status, type, default message and advice by code (spec.md, "All errors"). The spec
 * does not define the last group.
 */
const TABLE = {
  invalid_request: {
    status: 400,
    type: "invalid_request_error",
    message: "The request is not valid.",
    advice:
      "Fix the field that `param` names, then send the request again. Without `param`, the state and a question are too long together: shorten the state.",
  },
  invalid_model: {
    status: 400,
    type: "invalid_request_error",
    message: "There is no model with this id.",
    advice: "Use one of `valid_models`.",
  },
  invalid_api_key: {
    status: 401,
    type: "authentication_error",
    message: "The API key is missing, invalid, expired or revoked.",
    advice: "Check the key, or create a new one. Do not retry with the same key.",
  },
  insufficient_balance: {
    status: 402,
    type: "billing_error",
    message: "The balance is too low for this request.",
    advice: "Stop. Top up at `topup_url`, then send the request again.",
  },
  key_limit_reached: {
    status: 402,
    type: "billing_error",
    message: "The request would take this key past its spend limit.",
    advice: "Stop until `resets_at`. If it is null, use another key: a limit cannot be changed.",
  },
  model_retired: {
    status: 410,
    type: "invalid_request_error",
    message: "This model is retired.",
    advice: "Use `replacement_model`. If it is null, use the alias or another active id.",
  },
  request_too_large: {
    status: 413,
    type: "invalid_request_error",
    message: "The request body is too large.",
    advice: "Send a smaller request.",
  },
  rate_limited: {
    status: 429,
    type: "rate_limit_error",
    message: "Too many requests. Wait for Retry-After seconds.",
    advice: "Wait for `Retry-After` seconds, then send the request again.",
  },
  capacity_exceeded: {
    status: 429,
    type: "rate_limit_error",
    message: "The model is at capacity. Wait for Retry-After seconds.",
    advice: "Wait for `Retry-After` seconds, then send the request again.",
  },
  internal_error: {
    status: 500,
    type: "api_error",
    message: "Something failed on our side. Retry with backoff.",
    advice: "Retry with backoff. If the error persists, send the operator the `x-request-id`.",
  },
  upstream_error: {
    status: 502,
    type: "api_error",
    message: "The model returned an invalid response.",
    advice: "Retry with backoff.",
  },
  model_unavailable: {
    status: 503,
    type: "api_error",
    message: "The model is temporarily unavailable.",
    advice: "Retry with backoff, or use another id. The service never substitutes another model.",
  },
  upstream_timeout: {
    status: 504,
    type: "api_error",
    message: "The model did not answer in time.",
    advice: "Retry with backoff. Treat a 504 without a JSON body the same way.",
  },

  not_found: {
    status: 404,
    type: "invalid_request_error",
    message: "Nothing was found at this address.",
    advice: "Check the path.",
  },
  method_not_allowed: {
    status: 405,
    type: "invalid_request_error",
    message: "This method is not allowed here.",
    advice: "Use the method that `Allow` names.",
  },
  signed_out: { status: 401, type: "authentication_error", message: "Sign in again to continue.", advice: "Sign in." },
  confirmation_required: {
    status: 403,
    type: "authentication_error",
    message: "Confirm that it is you to continue.",
    advice: "Open the confirmation that we mail you.",
  },
  account_switched: {
    status: 409,
    type: "authentication_error",
    message: "This tab shows another account than the one you switched to. Nothing was done. Reload the page.",
    advice: "Reload the page, or switch back to the account that it shows.",
  },
  precondition_failed: {
    status: 412,
    type: "invalid_request_error",
    message: "This was changed since you read it. Nothing was done.",
    advice: "Read it again, and send its `ETag` as `If-Match`.",
  },
  forbidden: {
    status: 403,
    type: "authentication_error",
    message: "You are not allowed to do this.",
    advice: "Ask an owner of the account.",
  },
} as const

export type ErrorCode = keyof typeof TABLE
export type ErrorType = (typeof TABLE)[ErrorCode]["type"]

export const errorTable: Readonly<
  Record<ErrorCode, { status: number; type: ErrorType; message: string; advice: string }>
> = TABLE

/** Returns whether and when a request that ended with this status should be sent again. */
export function retryOf(status: number): string {
  if (status === 429) return "After `Retry-After`"
  return status >= 500 ? "With backoff" : "No"
}

/** Fields that some codes add to the error object (spec.md). */
export interface ErrorExtra {
  valid_models?: string[]
  replacement_model?: string | null
  required_usd?: string
  available_usd?: string
  limit_usd?: string
  topup_url?: string | null
  resets_at?: string | null
}

interface ServiceErrorOptions {
  /** Replaces the default message. Must not contain anything from the request. */
  message?: string
  /** The field, unless `path` leads to it. */
  param?: string
  path?: FieldPath
  extra?: ErrorExtra
  retryAfterSeconds?: number
  /** The same wait for clients that read `retry-after-ms`, spread over those that wait. `retryAfterSeconds` unless given. */
  retryAfterMs?: number
  cause?: unknown
}

const BRAND = Symbol.for("svc.ServiceError")

/** An error that a client may see. Every other thrown value becomes `internal_error` with a fixed message. */
export class ServiceError extends Error {
  readonly [BRAND] = true
  readonly code: ErrorCode
  readonly status: number
  readonly type: ErrorType
  readonly param: string | undefined
  /** The same as its parts, because a name in `param` may contain dots. */
  readonly path: FieldPath | undefined
  readonly extra: ErrorExtra
  readonly retryAfterSeconds: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    const { message, param, path, extra = {}, retryAfterSeconds, retryAfterMs, cause } = options
    super(message ?? TABLE[code].message, { cause })
    this.name = "ServiceError"
    this.code = code
    this.status = TABLE[code].status
    this.type = TABLE[code].type
    this.param = path ? paramOf(path) : param
    this.path = path ?? (param === undefined ? undefined : param === "body" ? [] : [param])
    this.extra = extra
    this.retryAfterSeconds = retryAfterSeconds
    this.retryAfterMs = retryAfterMs
  }

  /**
   * Also returns true for instances from the other copy of this module: server.ts and Next each bundle their own copy.
   */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value
  }
}

/** Returns a thrown `ServiceError` itself, and anything else as the cause of an `internal_error`. */
export function toServiceError(thrown: unknown): ServiceError {
  return thrown instanceof ServiceError ? thrown : new ServiceError("internal_error", { cause: thrown })
}

/** Returns the JSON body of an error response (spec.md, "Shape"). */
export function errorBody(error: ServiceError): { error: Record<string, unknown> } {
  const { message, type, code, param, extra } = error
  return { error: { message, type, code, ...(param === undefined ? {} : { param }), ...extra } }
}
