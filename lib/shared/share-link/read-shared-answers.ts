import { z } from "zod"
import { prepareAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { PreparedAnswer } from "@/questions/question-types"

export interface SharedAnswers {
  /** The pinned model, as the link claims. */
  model: string
  tokens: number
  answers: PreparedAnswer[]
}

const Response = z.object({
  model: z.string().regex(/^[\w.:-]{1,200}$/),
  usage: z.object({ input_tokens: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) }),
})

/** Returns the answers that a link claims for a request, or null when none of them fits it. */
export function readSharedAnswers(request: CheckedRequest, responseText: string): SharedAnswers | null {
  const body: unknown = JSON.parse(responseText)
  const response = Response.safeParse(body)
  if (!response.success) return null
  const answers = prepareAnswers(request, body)
  if (answers.every(({ type }) => type === "missing")) return null
  return { model: response.data.model, tokens: response.data.usage.input_tokens, answers }
}
