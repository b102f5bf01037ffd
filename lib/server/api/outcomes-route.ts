import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import { storeOutcomes } from "@/lib/server/outcomes/store-outcomes"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { FieldPath } from "@/lib/shared/json/field-path"
import { OutcomeRequest } from "@/lib/shared/outcomes/outcome-request"
import { bodyRoute } from "./body-route"
import { keyOf } from "./key-of"

/** A thousand outcomes with names of usual length have a fifth of this. */
const MAX_OUTCOMES_BYTES = 1024 * 1024

const PATH = "/v1/outcomes"

/** Parses a body. Throws `invalid_request` with the path of the first fault, and `request_too_large`. Errors repeat nothing of it. */
function readOutcomes(body: Buffer, mediaFault: string | null): OutcomeRequest {
  if (mediaFault !== null) throw new ServiceError("invalid_request", { param: "body", message: mediaFault })
  if (body.length > MAX_OUTCOMES_BYTES) throw new ServiceError("request_too_large", { param: "body" })
  const parsed = OutcomeRequest.safeParse(jsonOf(body))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ServiceError("invalid_request", { path: (issue?.path ?? []) as FieldPath, message: issue?.message })
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    // The error's own message quotes the body.
    throw new ServiceError("invalid_request", { param: "body", message: "The body is not valid JSON." })
  }
}

/** `POST /v1/outcomes`: stores what really happened, as numbers, for accounts that keep outcomes. Charges nothing. */
export const outcomesRoute = bodyRoute({
  path: PATH,
  serve: "api",
  authenticate: (request) => keyOf(request, [PATH]),
  count: ({ accountId }) => requireWithinRate(runtime(), "outcomes", accountId),
  handle: async ({ caller, body, mediaFault }) =>
    JSON.stringify(await storeOutcomes(runtime(), caller, readOutcomes(body, mediaFault))),
})
