import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { RawAnswer } from "@/questions/question-types"
import type { TokenCount } from "./token-count"

export interface ProbeResult {
  available: boolean
  /** For the operator only: why it is not available. */
  reason?: string
  /** What the engine says it runs, recorded once in the pinned settings. */
  build?: string
  /** How many requests it works on at once, where it says so. */
  slots?: number
  /** The name it serves the model under. */
  served?: string
  /** How its tokens are counted, where nobody has said yet (`counterFor`). */
  tokenizer?: string
}

/** Takes one more place for a call, if one is free that nobody waits for: the function that gives it back, or null. */
export type TakePlace = () => (() => void) | null

/**
 * What answers for one pinned model. Every method but the constructor may reject with a `ServiceError` of step 8:
 * `invalid_request` without `param`, `capacity_exceeded`, `upstream_error`, `model_unavailable`, `upstream_timeout`.
 */
export interface Engine {
  /** The most tokens this request can be billed for: what the hold sets aside (docs/decisions/0007). */
  mostTokens(request: CheckedRequest, signal: AbortSignal): number | Promise<number>
  /** The billable input tokens, exact, in all never more than `mostTokens`. */
  countTokens(request: CheckedRequest, signal: AbortSignal): TokenCount | Promise<TokenCount>
  /** One raw answer per question, in request order. Makes one call at a time, and one more for each place it can take. */
  answer(request: CheckedRequest, signal: AbortSignal, take?: TakePlace): Promise<RawAnswer[]>
  /** Whether the engine is up, serves the pinned model and answers well-formed. Never rejects. */
  probe(signal: AbortSignal): Promise<ProbeResult>
  close(): Promise<void>
}
