import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { RawAnswer } from "@/questions/question-types"

export interface Answered {
  /** One per question, in request order. */
  answers: RawAnswer[]
  /** The tokens of all prompts, including those that were in the prompt cache already. */
  inputTokens: number
  computedTokens: number
}

/** A loaded model that answers requests. */
export interface Answerer {
  /** The version of this service's own prompt. Undefined for a model whose file has a prompt. */
  readonly promptVersion?: string
  /** Rejects with an `EngineHttpError`, or with the abort's reason. */
  answer(request: CheckedRequest, signal: AbortSignal): Promise<Answered>
}

/** An HTTP error in the response format of llama.cpp's server. */
export class EngineHttpError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly extra: Record<string, number> = {},
  ) {
    super(message)
  }
}

export const promptTooLong = (tokens: number, contextTokens: number): EngineHttpError =>
  new EngineHttpError(
    400,
    "exceed_context_size_error",
    `the prompt has ${tokens} tokens, but the model's context holds only ${contextTokens}`,
    { n_prompt_tokens: tokens, n_ctx: contextTokens },
  )
