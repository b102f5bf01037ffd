import { prepareAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { ErrorExtra } from "@/lib/shared/errors"
import { cost, parsePricePerMillion, usd12 } from "@/lib/shared/money"
import { parseRetryAfter } from "@/lib/shared/retry-after"
import type { PreparedAnswer } from "@/questions/question-types"
import type { ModelChoice } from "./model-choice"
import { type Reply, readResponse } from "./read-response"

export interface Exchange {
  requestText: string
  request: CheckedRequest
  status: number
  headers: [name: string, value: string][]
  responseText: string
  latencyMs: number
}

export interface Refusal extends ErrorExtra {
  code: string
  message: string
  param?: string
  retryAfterSeconds: number | null
}

export type Outcome = { exchange: Exchange; requestId: string | null } & (
  | { kind: "answered"; model: string; tokens: number; costUsd: string | null; answers: PreparedAnswer[] }
  | { kind: "refused"; refusal: Refusal }
)

function refusalOf(status: number, reply: Reply): Omit<Refusal, "retryAfterSeconds"> {
  if (reply.kind === "refused") return reply.error
  // spec.md, "All errors": a 504 without a JSON body is a timeout of the model.
  if (status === 504) return { code: "upstream_timeout", message: "The model did not answer in time." }
  return { code: "unreadable", message: `The server returned an unreadable response with status ${status}.` }
}

/**
 * Reads a response for display. The cost is tokens × the price of the model that answered, or null when its price is
 * unknown.
 */
export function readOutcome(exchange: Exchange, models: Pick<ModelChoice, "id" | "pricePerMillionUsd">[]): Outcome {
  const header = (name: string) => exchange.headers.find(([key]) => key.toLowerCase() === name)?.[1]
  const requestId = header("x-request-id") ?? null
  const { status, responseText } = exchange
  const reply = readResponse(status, responseText)
  if (reply.kind !== "answered") {
    const retryAfterSeconds = parseRetryAfter(header("retry-after"))
    return { kind: "refused", exchange, requestId, refusal: { ...refusalOf(status, reply), retryAfterSeconds } }
  }
  const { model, tokens, body } = reply
  const price = parsePricePerMillion(models.find(({ id }) => id === model)?.pricePerMillionUsd ?? "")
  return {
    kind: "answered",
    exchange,
    requestId,
    model,
    tokens,
    costUsd: price === null ? null : usd12(cost(tokens, price)),
    answers: prepareAnswers(exchange.request, body),
  }
}
