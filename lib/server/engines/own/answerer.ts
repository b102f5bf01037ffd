import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { RawAnswer } from "@/questions/question-types"

export interface Answered {
  /** One per question, in request order. */
  answers: RawAnswer[]
  /** The tokens of all prompts, whether computed or kept. */
  inputTokens: number
  computedTokens: number
}

/** A loaded model that answers requests. */
export interface Answerer {
  /** The version of this service's own prompt, for a model that brings none. */
  readonly prompt?: string
  /** Rejects with a `WireRefusal`, or with the abort's reason. */
  answer(request: CheckedRequest, signal: AbortSignal): Promise<Answered>
}

/** An error of the wire, in the form of llama.cpp's server. */
export class WireRefusal extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly extra: Record<string, number> = {},
  ) {
    super(message)
  }
}

export const promptTooLong = (tokens: number, contextTokens: number): WireRefusal =>
  new WireRefusal(
    400,
    "exceed_context_size_error",
    `the prompt has ${tokens} tokens, and the context has ${contextTokens}`,
    { n_prompt_tokens: tokens, n_ctx: contextTokens },
  )
