import { SHOWN_ACCOUNT } from "@/lib/shared/accounts/shown-account"
import { cost, parsePricePerMillion, usd12 } from "@/lib/shared/money"
import { parseRetryAfter } from "@/lib/shared/retry-after"
import { type Reply, readResponse } from "@/lib/shared/runs/read-response"
import { postDecision } from "@/lib/shared/runs/send-decision"
import { memberOf } from "@/questions/display"
import { outcomesOf } from "@/questions/question-types"
import type { AnsweredRow } from "./evaluation-run"
import type { RateHeaders } from "./pace"
import { requestTextOf, type SharedRequest } from "./shared-request"

export interface RefusedRow {
  status: "refused"
  code: string
  message: string
  /** The error object of the response, as JSON; `{}` when a proxy refused. */
  refusal: string
  requestId: string | null
  retryAfterMs: number | null
}

export type SentRow = (AnsweredRow | RefusedRow) & { rate: RateHeaders | null }

/** spec.md advises clients to wait this long. */
const TIMEOUT_MS = 130_000

function rateOf(headers: Headers): RateHeaders | null {
  const limit = Number(headers.get("x-ratelimit-limit") ?? Number.NaN)
  const remaining = Number(headers.get("x-ratelimit-remaining") ?? Number.NaN)
  return limit > 0 && remaining >= 0 ? { limit, remaining } : null
}

/**
 * Returns an error of the API, or a proxy's refusal (4xx), which is sent before the service sees the request. Null for any other
 * response, such as a proxy's 502.
 */
function refusedRow({ status, headers }: Response, reply: Reply): RefusedRow | null {
  const isOfApi = reply.kind === "refused"
  if (!isOfApi && (status < 400 || status >= 500)) return null
  const seconds = parseRetryAfter(headers.get("retry-after"))
  return {
    status: "refused",
    code: isOfApi ? reply.error.code : "unreadable",
    message: isOfApi ? reply.error.message : `A proxy refused the request with status ${status}.`,
    refusal: JSON.stringify(isOfApi ? reply.error : {}),
    requestId: headers.get("x-request-id"),
    retryAfterMs: seconds === null ? null : seconds * 1_000,
  }
}

function answeredRow(
  shared: SharedRequest,
  { tokens, body }: Extract<Reply, { kind: "answered" }>,
): Omit<AnsweredRow, "requestId" | "latencyMs"> {
  const answers = memberOf(body, "answers")
  const price = parsePricePerMillion(shared.pricePerMillionUsd ?? "")
  return {
    status: "answered",
    answers: shared.questions.map((question) =>
      outcomesOf(question).probabilities(question, memberOf(answers, question.name)),
    ),
    tokens,
    costUsd: price === null ? null : usd12(cost(tokens, price)),
  }
}

/**
 * Sends one row, in the account of the run. `attempt` identifies it when it is sent again. Rejects without a response of the
 * API. A proxy's 5xx page is no such response: the proxy may have lost the answer to a row that was charged.
 */
export async function sendRow(
  shared: SharedRequest,
  state: string,
  attempt: string,
  accountId: string,
): Promise<SentRow> {
  const startedAt = performance.now()
  const headers = { "idempotency-key": attempt, [SHOWN_ACCOUNT]: accountId }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const text = requestTextOf(shared, state)
  const response = await postDecision("/evaluate/decisions", text, shared.keyId, timeout, headers)
  const reply = readResponse(response.status, await response.text())
  const latencyMs = Math.round(performance.now() - startedAt)
  const rate = rateOf(response.headers)
  if (reply.kind === "answered")
    return { ...answeredRow(shared, reply), requestId: response.headers.get("x-request-id"), latencyMs, rate }
  const refused = refusedRow(response, reply)
  if (!refused) throw new Error(`The response with status ${response.status} is not the API's.`)
  return { ...refused, rate }
}
