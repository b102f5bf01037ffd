/**
 * What a refused row means for the run.
 *
 * - `wait`: nothing is wrong with the row. It is sent again after `Retry-After`, or a growing delay.
 * - `retry`: sent again a few times, then kept as failed.
 * - `fail`: the row itself is refused. Sending it again would not help.
 * - `stop`: the server would refuse every further row too.
 */
export type Reaction = "wait" | "retry" | "fail" | "stop"

const REACTIONS: Record<string, Reaction> = {
  rate_limited: "wait",
  capacity_exceeded: "wait",
  internal_error: "retry",
  upstream_error: "retry",
  upstream_timeout: "retry",
  model_unavailable: "retry",
  invalid_request: "fail",
  request_too_large: "fail",
}

const RETRIES = 3
const WAITS = 40

/** `tries` counts how often the row was refused before. Unknown codes come from a proxy and are retried. */
export function reactTo(code: string, tries: number, isKnown: boolean): Reaction {
  const reaction = REACTIONS[code] ?? (isKnown ? "stop" : "retry")
  if (reaction === "retry" && tries >= RETRIES) return "fail"
  if (reaction === "wait" && tries >= WAITS) return "fail"
  return reaction
}

/** Returns how long to wait without a `Retry-After`, in milliseconds: half a second, doubled with each try. */
export const backoffMs = (tries: number): number => Math.min(15_000, 500 * 2 ** tries)
