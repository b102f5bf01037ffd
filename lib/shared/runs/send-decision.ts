import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { ModelChoice } from "./model-choice"
import { type Outcome, readOutcome } from "./read-outcome"

export interface DecisionInput {
  requestText: string
  request: CheckedRequest
  /** Public id of the key. Empty: the account's Playground key. */
  keyId: string
}

/** Where the console sends requests. Rows of Evaluate have a rate limit of their own, and visitors need no account. */
type DecisionPath = "/playground/decisions" | "/evaluate/decisions" | "/try/decisions"

/**
 * Sends a request to the console's own route. `keyId` is the public id of the key that is charged; empty for the account's Playground
 * key.
 */
export const postDecision = (
  path: DecisionPath,
  body: string,
  keyId: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
) =>
  fetch(path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", ...(keyId ? { "x-svc-key-id": keyId } : {}) },
    body,
    signal,
  })

/** Sends one decision from the console and reads the response. Rejects when aborted or when no response arrives. */
export async function sendDecision(
  { requestText, request, keyId }: DecisionInput,
  models: ModelChoice[],
  signal: AbortSignal,
): Promise<Outcome> {
  const startedAt = performance.now()
  const response = await postDecision("/playground/decisions", requestText, keyId, signal)
  const responseText = await response.text()
  const latencyMs = Math.round(performance.now() - startedAt)
  const { status, headers } = response
  return readOutcome({ requestText, request, status, headers: [...headers], responseText, latencyMs }, models)
}
