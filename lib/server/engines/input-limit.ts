import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import type { TokenCount } from "./token-count"

/** What the service and its engine say around a question, in tokens: a fixed allowance, part of the pinned settings. */
export const FIXED_PROMPT_TOKENS = 128

const LIMITS: Readonly<Record<string, number>> = { [FIRST_DECIDER]: 16_384 }

/** The most tokens that the state, one question and the fixed prompt may have for a pinned model; null: no limit of its own. */
export const inputLimitOf = (modelId: string): number | null => LIMITS[modelId] ?? null

/** The tokens of the longest input that a request makes: its state, its longest question and the fixed prompt. */
export const longestInput = ({ state, questions }: TokenCount): number =>
  state + Math.max(0, ...questions) + FIXED_PROMPT_TOKENS
