import { openRouterError } from "@/lib/server/dialects/openrouter/error-body"
import { systemOneError } from "@/lib/server/dialects/system-one/error-body"
import { type ErrorCode, errorTable, type ServiceError } from "@/lib/shared/errors"
import { API_CODES, schemaName } from "./error"
import { errorExample } from "./examples"
import { RATE_LIMITS, RATE_LIMITS_ONCE_ACCEPTED, REQUEST_ID, REQUEST_IDS, RETRY_AFTER } from "./headers"

/** The licence of the service, and so of its description. */
export const LICENSE = { name: "Apache 2.0", identifier: "Apache-2.0" }

/** Names for the errors of statuses with several codes, so that generated clients have a type for each. */
const UNIONS: Record<string, ErrorCode[]> = {
  BadRequest: ["invalid_request", "invalid_model"],
  PaymentRequired: ["insufficient_balance", "key_limit_reached"],
  TooManyRequests: ["rate_limited", "capacity_exceeded"],
  OtherError: ["not_found", "method_not_allowed"],
}

/** Returns the schemas of `UNIONS`. */
export const errorUnions = () =>
  Object.fromEntries(
    Object.entries(UNIONS).map(([name, codes]) => [name, { oneOf: codes.map((code) => ref(schemaName(code))) }]),
  )

/** Returns the schema of an error with one of these codes. */
function errorRef(codes: readonly ErrorCode[]) {
  const [only, ...others] = codes
  if (only && others.length === 0) return ref(schemaName(only))
  const union = Object.keys(UNIONS).find((name) => UNIONS[name]?.join() === codes.join())
  if (!union) throw new Error(`no schema is named for the errors ${codes}`)
  return ref(union)
}

const ref = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })

/** Statuses that are only possible after the key was accepted. */
const AFTER_ACCEPTANCE = [200, 402, 410, 429]

const rateHeaders = (status: number) =>
  status === 401 ? {} : AFTER_ACCEPTANCE.includes(status) ? RATE_LIMITS : RATE_LIMITS_ONCE_ACCEPTED

interface FailureOptions {
  withRateLimits: boolean
}

/** How the errors of a route are described. */
interface ErrorForm {
  ref(codes: readonly ErrorCode[]): object
  example(code: ErrorCode): object
}
const OWN_FORM: ErrorForm = { ref: errorRef, example: errorExample }
/** Returns the form of a dialect's errors, which have one schema. */
const formIn = (schema: string, bodyOf: (error: ServiceError) => object): ErrorForm => ({
  ref: () => ref(schema),
  example: (code) => errorExample(code, bodyOf),
})

/** Returns what describes responses with these headers of the request's id, and errors in this form. */
function responsesWith(ids: object, form = OWN_FORM) {
  const failure = (status: number, codes: ErrorCode[], headers: object) => ({
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join(" "),
    headers: { ...ids, ...headers, ...(status === 429 ? RETRY_AFTER : {}) },
    content: {
      "application/json": {
        schema: form.ref(codes),
        examples: Object.fromEntries(codes.map((code) => [code, { value: form.example(code) }])),
      },
    },
  })
  return {
    /** Returns the description of a 200 with its body and headers. */
    success: (description: string, schema: string, example: unknown, headers: object = {}) => ({
      description,
      headers: { ...ids, ...headers },
      content: { "application/json": { schema: ref(schema), example } },
    }),
    /** Returns the descriptions of the error responses with these codes, by status. */
    failures: (codes: readonly ErrorCode[], { withRateLimits }: FailureOptions) => {
      const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((a, b) => a - b)
      return Object.fromEntries(
        statuses.map((status) => {
          const own = codes.filter((code) => errorTable[code].status === status)
          return [String(status), failure(status, own, withRateLimits ? rateHeaders(status) : {})]
        }),
      )
    },
  }
}

/** Responses of the routes under `/v1`. */
export const ofV1 = responsesWith(REQUEST_IDS)
/** Responses of `POST /v1/systemone`. */
export const ofSystemOne = responsesWith(REQUEST_IDS, formIn("SystemOneError", systemOneError))
/** Responses of the routes for OpenRouter's clients. */
export const ofOpenRouter = responsesWith(REQUEST_IDS, formIn("OpenRouterError", openRouterError))
/** Responses of the routes for OpenAI's clients. */
export const ofOpenAi = responsesWith(REQUEST_ID)
/** Responses of the routes that read an account. */
export const ofAccount = responsesWith(REQUEST_ID)

/** The response to a path or method that the document does not describe. */
export const OTHER = {
  description:
    "Paths that are not described here answer 404, other methods 405 with `Allow`, in the same shape. `HEAD` is answered like `GET`.",
  headers: REQUEST_ID,
  content: { "application/json": { schema: ref("OtherError") } },
}

/** The same in the error form of a dialect, for another method at its paths. */
export const otherIn = (schema: "SystemOneError" | "OpenRouterError") => ({
  ...OTHER,
  content: { "application/json": { schema: ref(schema) } },
})

/** The error codes of `POST /v1/decisions`. */
export const DECISION_CODES = API_CODES.filter((code) => code !== "not_found" && code !== "method_not_allowed")
