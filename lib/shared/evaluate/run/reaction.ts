import type { ErrorCode } from "@/lib/shared/errors"

/**
 * What a refused row means for the run.
 *
 * - `wait`: nothing is wrong with the row. It is sent again up to 40 times, after `Retry-After` or a growing delay.
 * - `retry`: sent again up to three times, then kept as failed.
 * - `fail`: the row itself is refused. Sending it again would not help.
 * - `stop`: the server would refuse every further row too.
 */
export type Reaction = "wait" | "retry" | "fail" | "stop"

const REACTIONS: Record<ErrorCode, Reaction> = {
  rate_limited: "wait",
  capacity_exceeded: "wait",
  internal_error: "retry",
  upstream_error: "retry",
  upstream_timeout: "retry",
  model_unavailable: "retry",
  invalid_request: "fail",
  request_too_large: "fail",
  invalid_api_key: "stop",
  insufficient_balance: "stop",
  key_limit_reached: "stop",
  invalid_model: "stop",
  model_retired: "stop",
  not_found: "stop",
  signed_out: "stop",
  confirmation_required: "stop",
  account_switched: "stop",
  precondition_failed: "stop",
  forbidden: "stop",
  method_not_allowed: "stop",
}

const RETRIES = 3
const WAITS = 40

/** `attempts` counts how often the row was refused before. Unknown codes come from a proxy or a newer version and are retried. */
export function reactionTo(code: string, attempts: number): Reaction {
  const reaction = Object.hasOwn(REACTIONS, code) ? REACTIONS[code as ErrorCode] : "retry"
  if (reaction === "retry" && attempts >= RETRIES) return "fail"
  if (reaction === "wait" && attempts >= WAITS) return "fail"
  return reaction
}

/** Returns the delay without a `Retry-After`, in milliseconds: half a second, doubled with each attempt, at most 15 seconds. */
export const backoffMs = (attempts: number): number => Math.min(15_000, 500 * 2 ** attempts)
