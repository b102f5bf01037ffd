import type { TokenCount } from "./run-cost"

/** How long a caller waits after "rate_limited". The window of the rate limit is a second. */
export const RECOUNT_AFTER_MS = 1_100

/** Counts the billable tokens of a request's JSON. Returns null when it is refused for another reason than the rate. */
export async function countTokens(body: string, signal: AbortSignal): Promise<TokenCount | "rate_limited" | null> {
  const headers = { "content-type": "application/json" }
  const response = await fetch("/playground/tokens", { method: "POST", headers, body, signal })
  if (response.status === 429) return "rate_limited"
  return response.ok ? ((await response.json()) as TokenCount) : null
}
