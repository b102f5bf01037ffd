import { prepareAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { ErrorExtra } from "@/lib/shared/errors"
import { cost, parsePricePerMillion, usd12 } from "@/lib/shared/money"
import type { PreparedAnswer } from "@/questions/question-types"
import type { ModelChoice } from "./model-choice"

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

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function refusal({ status, responseText }: Exchange, retryAfter: string | undefined): Refusal {
  const error = parse(responseText).error as Refusal | undefined
  const seconds = Number.parseInt(retryAfter ?? "", 10)
  const retryAfterSeconds = Number.isNaN(seconds) ? null : seconds
  if (error?.code) return { ...error, retryAfterSeconds }
  // spec.md, "All errors": a 504 without a JSON body is a timeout of the model.
  if (status === 504)
    return { code: "upstream_timeout", message: "The model did not answer in time.", retryAfterSeconds }
  return {
    code: "unreadable",
    message: `The server returned an unreadable response with status ${status}.`,
    retryAfterSeconds,
  }
}

/**
 * Reads a response for display. The cost is tokens × the price of the model that answered, or null when its price is
 * unknown.
 */
export function readOutcome(exchange: Exchange, models: Pick<ModelChoice, "id" | "pricePerMillionUsd">[]): Outcome {
  const header = (name: string) => exchange.headers.find(([key]) => key.toLowerCase() === name)?.[1]
  const requestId = header("x-request-id") ?? null
  const { model, usage, ...body } = parse(exchange.responseText)
  const tokens = (usage as { input_tokens?: unknown } | undefined)?.input_tokens
  if (exchange.status !== 200 || typeof model !== "string" || typeof tokens !== "number")
    return { kind: "refused", exchange, requestId, refusal: refusal(exchange, header("retry-after")) }
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
