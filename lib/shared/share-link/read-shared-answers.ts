import { prepareAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { readResponse } from "@/lib/shared/runs/read-response"
import type { PreparedAnswer } from "@/questions/question-types"

export interface SharedAnswers {
  /** The pinned model, as the link claims. */
  model: string
  tokens: number
  answers: PreparedAnswer[]
}

const MODEL = /^[\w.:-]{1,200}$/

/** Returns the answers that a link claims for a request, or null when none of them fits it. */
export function readSharedAnswers(request: CheckedRequest, responseText: string): SharedAnswers | null {
  const reply = readResponse(200, responseText)
  if (reply.kind !== "answered" || !MODEL.test(reply.model)) return null
  const answers = prepareAnswers(request, reply.body)
  if (answers.every(({ type }) => type === "missing")) return null
  return { model: reply.model, tokens: reply.tokens, answers }
}
