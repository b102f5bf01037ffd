import { type ErrorCode, errorTable } from "@/lib/shared/errors"
import { API_CODES, schemaName } from "./error"
import { errorExample } from "./examples"
import { RATE_LIMITS, RATE_LIMITS_ONCE_ACCEPTED, REQUEST_ID, RETRY_AFTER } from "./headers"

const ref = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })

/** Statuses that are only possible after the key was accepted. */
const AFTER_ACCEPTANCE = [200, 402, 410, 429]

const rateHeaders = (status: number) =>
  status === 401 ? {} : AFTER_ACCEPTANCE.includes(status) ? RATE_LIMITS : RATE_LIMITS_ONCE_ACCEPTED

/** Returns the description of a 200 with its body and headers. */
export function success(description: string, schema: string, example: unknown, headers: object = {}) {
  return {
    description,
    headers: { ...REQUEST_ID, ...headers },
    content: { "application/json": { schema: ref(schema), example } },
  }
}

function failure(status: number, codes: ErrorCode[], headers: object) {
  const names = codes.map(schemaName)
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join(" "),
    headers: { ...REQUEST_ID, ...headers, ...(status === 429 ? RETRY_AFTER : {}) },
    content: {
      "application/json": {
        schema: names.length === 1 ? ref(names[0] ?? "") : { oneOf: names.map(ref) },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  }
}

/** Returns the descriptions of the error responses with these codes, by status. */
export function failures(codes: readonly ErrorCode[], { withRateLimits }: { withRateLimits: boolean }) {
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => errorTable[code].status === status)
      return [String(status), failure(status, own, withRateLimits ? rateHeaders(status) : {})]
    }),
  )
}

/** The response to a path or method that the document does not describe. */
export const OTHER = {
  description:
    "Paths that are not described here answer 404, other methods 405 with `Allow`, in the same shape. `HEAD` is answered like `GET`.",
  headers: REQUEST_ID,
  content: {
    "application/json": { schema: { oneOf: (["not_found", "method_not_allowed"] as const).map(schemaName).map(ref) } },
  },
}

/** The error codes of `POST /v1/decisions`. */
export const DECISION_CODES = API_CODES.filter((code) => code !== "not_found" && code !== "method_not_allowed")
