import { inputLimitOf, longestInput, totalTokens } from "@/lib/server/engines/token-count"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { cost, usd12, usdPerMillion } from "@/lib/shared/money"
import { admitModel } from "./admit-model"
import { type DecisionCall, readRequest } from "./decide"

interface CountCall
  extends Pick<DecisionCall, "body" | "mediaFault" | "authorize" | "signal" | "onModel" | "onMemory" | "staysOn"> {
  accountId: string
}

export interface CountedRequest {
  /** The pinned model that would answer. */
  model: string
  /** USD per million input tokens. */
  price: string | null
  /** `usage.input_tokens` of a run. */
  input_tokens: number
  parts: { state: number; questions: Record<string, number> }
  /** The maximum tokens of state, one question and the fixed prompt together. Null: the model sets no limit. */
  max_question_tokens: number | null
  /** The tokens of the longest question with the state and the fixed prompt. A run above the limit is refused. Null without a limit. */
  largest_question_tokens: number | null
  /** Exact USD text. */
  cost_usd: string
}

/**
 * Counts a decision request without running it. Performs the same checks of body, shape and model as a run, and returns
 * the count that the run would charge. Places no hold and charges nothing.
 */
export async function countRequest(runtime: Runtime, call: CountCall): Promise<CountedRequest> {
  const bodyBytes = call.body.length
  const request = await readRequest(runtime, call)
  const model = admitModel(runtime, request, bodyBytes, call)
  call.onModel(model.id)
  const handle = runtime.engines.get(model.id)
  if (!handle || model.pricePico === null) throw new ServiceError("model_unavailable")
  const count = await handle.withoutPlace((engine) => engine.countTokens(request, call.signal, call))
  const tokens = totalTokens(count)
  // A cascade counts with the tokenizer of its small model, which the limit of the other one is not stated in.
  const limit = inputLimitOf((model.cascade?.small ?? model).id)
  return {
    model: model.id,
    price: usdPerMillion(model.pricePico),
    input_tokens: tokens,
    parts: {
      state: count.state,
      questions: Object.fromEntries(request.questions.map(({ name }, i) => [name, count.questions[i] ?? 0])),
    },
    max_question_tokens: limit,
    largest_question_tokens: limit === null ? null : longestInput(count),
    cost_usd: usd12(cost(tokens, model.pricePico)),
  }
}
