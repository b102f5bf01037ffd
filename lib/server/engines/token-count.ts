import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { questionTexts } from "@/questions/question-types"

/** A billed text. Option names are plain strings. */
export type BilledText = JsonText | string

export interface TokenCount {
  /** Billed once. */
  state: number
  /** What each question adds, in request order. */
  questions: number[]
}

/** Returns the tokens billed: spec.md's `usage.input_tokens`. */
export const totalTokens = ({ state, questions }: TokenCount): number =>
  questions.reduce((sum, own) => sum + own, state)

export const textBytes = (text: BilledText): number =>
  typeof text === "string" ? Buffer.byteLength(text) : text.textBytes()

/**
 * Returns the tokens that an engine reported for a text. Throws `upstream_error` for none in a text with a letter or a digit, which
 * would be charged nothing. Some tokenizers drop white space and control characters.
 */
export function reportedTokens(text: BilledText, tokens: number): number {
  const hasToken = tokens > 0 || !/[\p{L}\p{N}]/u.test(typeof text === "string" ? text : text.text())
  if (!hasToken) throw new ServiceError("upstream_error", { cause: new Error("the engine found no token in a text") })
  return tokens
}

/** Counts a request text by text. Each text is counted alone, so the sum does not depend on its neighbours. */
export const countEach = (request: CheckedRequest, tokensOf: (text: BilledText) => number): TokenCount => ({
  state: tokensOf(request.state),
  questions: request.questions.map((question) =>
    questionTexts(question).reduce((sum, text) => sum + tokensOf(text), 0),
  ),
})

/** Names the rule for models without a tokenizer: each started group of 4 UTF-8 bytes of a billed text is one token. */
export const BYTE_RULE = "bytes-4"

/** Counts by `BYTE_RULE`. The count is exact before the request runs, so the hold equals the charge. */
export const countByBytes = (request: CheckedRequest): TokenCount =>
  countEach(request, (text) => Math.ceil(textBytes(text) / 4))

/** A fixed allowance for what the service and its engine add around a question. Part of a model's pinned settings. */
export const FIXED_PROMPT_TOKENS = 128

const INPUT_LIMITS: Readonly<Record<string, number>> = { [FIRST_DECIDER]: 16_384 }

/** Returns the maximum tokens of state, one question and the fixed prompt together. Null: the model sets no limit. */
export const inputLimitOf = (modelId: string): number | null => INPUT_LIMITS[modelId] ?? null

/** Returns the tokens of a request's longest input: its state, its longest question and the fixed prompt. */
export const longestInput = ({ state, questions }: TokenCount): number =>
  state + Math.max(0, ...questions) + FIXED_PROMPT_TOKENS
