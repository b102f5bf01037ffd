import { renderNamed } from "@/lib/shared/decisions/answers"
import type { AnswerForm, CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { JsonNode } from "@/lib/shared/json/request-index"
import { usd12 } from "@/lib/shared/money"
import { readSystemOne } from "../system-one/read-body"

/** The contract's answers with the request's id, the service's name, and the exact cost in USD as a number. */
const writeBody: AnswerForm["writeBody"] = (request, answers, facts) => {
  const { requestId, provider, modelId, inputTokens, costPico } = facts
  const rendered = renderNamed(request, answers)
  const [id, by, model] = [requestId, provider, modelId].map((text) => JSON.stringify(text))
  const usage = `{"input_tokens":${inputTokens},"input_tokens_details":{"cached_tokens":0},"output_tokens":${answers.length},"cost":${usd12(costPico)}}`
  return `{"id":${id},"provider":${by},"model":${model},"answers":${rendered},"usage":${usage}}`
}

/** Translates a body of OpenRouter's clients, which is one of System One's. Throws `Refused`. */
export const readOpenRouter = (root: JsonNode): CheckedRequest => ({ ...readSystemOne(root), form: { writeBody } })
