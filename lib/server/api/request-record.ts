import type { IncomingMessage, ServerResponse } from "node:http"
import type { EndedState } from "@/lib/server/decisions/decide-batch"
import { newFacts, type RequestFacts } from "@/lib/server/decisions/request-facts"
import { dialectAt } from "@/lib/server/dialects/dialects"
import type { Payer } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Log } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { parseTraceparent, traceIdOf } from "@/lib/server/platform/traceparent"
import { inSpan, type Span } from "@/lib/server/platform/tracing"
import { type ServiceError, toServiceError } from "@/lib/shared/errors"
import { REQUEST_ID_HEADER, REQUEST_ID_TIMING } from "@/lib/shared/request-ids"
import { isStatic } from "./console-request"
import { ClientGone } from "./in-flight"
import { isLogged } from "./log-refusal"
import { limitsOf, type Rates } from "./request-details"
import type { RequestEvent } from "./request-events"
import { assignRequestId, sendError } from "./respond"
import { retriesOf } from "./retries-of"

interface Ended {
  /** The value of `x-request-id`, `req_…`. */
  requestId: string
  /** The trace id of the client's `traceparent` or, with tracing on, of the request's span. */
  traceId?: string
  /** The path of the route. Undefined when no route handled the request: its path may contain user data and is not logged. */
  route?: string
  method?: string
  status: number
  code: string
  elapsedMs?: number
  payer?: Payer | null
  /** The pinned model. */
  model?: string | null
  tokens?: number
  cause?: unknown
  /** False for a request that a line for many reports. */
  isLogged?: boolean
  /** The states of a batch. Each is recorded by itself, so the batch has a line and no part in the metrics. */
  states?: number
}

/** Counts a request that has ended and writes its line into the log. */
export function recordEnd(ended: Ended): void {
  const {
    requestId,
    traceId,
    route,
    method,
    status,
    code,
    elapsedMs,
    payer,
    model,
    tokens,
    cause,
    isLogged = true,
    states,
  } = ended
  const { metrics } = runtime()
  if (states === undefined) metrics.ended(route ?? "none", status, code, elapsedMs)
  if (model && tokens !== undefined) metrics.billed(model, tokens)
  if (!isLogged) return
  const fields = {
    requestId,
    traceId,
    method,
    route,
    status,
    code,
    latencyMs: elapsedMs === undefined ? undefined : Math.round(elapsedMs),
    accountId: payer?.accountId,
    keyId: payer?.keyId,
    model: model ?? undefined,
    tokens,
    count: states,
    cause,
  }
  const message = states === undefined ? "request" : "batch"
  logQuietly((log) => (status >= 500 ? log.error(message, fields) : log.info(message, fields)))
}

/** Console responses that are recorded elsewhere, such as refusals. `recordConsole` skips them. */
const RECORDED = new WeakSet<ServerResponse>()
export const markRecorded = (response: ServerResponse): void => void RECORDED.add(response)

/**
 * Counts a request that the console renders, and logs it unless it is for a static file. The path is left out, because it
 * and its query may hold what a user typed.
 */
export function recordConsole(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  const route = isStatic(request) ? "static" : "console"
  const requestId = publicId("req", assignRequestId(response))
  // The console logs its errors under this id, and pages that failed show it. A client's own header is overwritten.
  request.headers[REQUEST_ID_HEADER] = requestId
  // Scripts can read this header of their own document, and no other.
  if (route === "console") response.setHeader("server-timing", `${REQUEST_ID_TIMING};desc="${requestId}"`)
  const traceId = traceIdOf(request.headers.traceparent)
  response.once("close", () => {
    if (RECORDED.has(response)) return
    const isGone = !response.writableFinished
    const status = isGone ? 499 : response.statusCode
    const code = isGone ? "client_gone" : status < 400 ? "ok" : "console_error"
    const elapsedMs = performance.now() - startedAt
    if (route === "static") runtime().metrics.ended(route, status, code, elapsedMs)
    else recordEnd({ requestId, traceId, route, method: request.method, status, code, elapsedMs })
  })
}

/** Writes to the log and ignores its errors, so that a failing log does not fail the request. */
function logQuietly(write: (log: Log) => void): void {
  try {
    write(runtime().log)
  } catch {}
}

/** Returns whether clients written for System One use the route: they also work below OpenRouter's base. */
const isOfSystemOne = (route: string): boolean => route.startsWith("/v1/") || dialectAt(route)?.name === "openrouter"

/** Collects what is known of one request to a route until it ends, for its log line, its metrics and its event. */
export class RequestRecord {
  /** The UUID behind `x-request-id`. */
  readonly requestId: string
  readonly #publicId: string
  /** `performance.now()` when the request arrived. */
  readonly startedAt = performance.now()
  /** The account and key, once the key is accepted. */
  payer: Payer | null = null
  /** The pinned model, once it is known. */
  model: string | null = null
  /** The billed input tokens of a 200. */
  tokens?: number
  /** What is noted for the request's page. */
  readonly facts = newFacts()
  /** The rate limits and windows when the request was counted. */
  rates: Rates | null = null
  /** The number of states of an admitted batch, each of which is recorded by `endState`. */
  states?: number
  readonly #span?: Span
  #isEnded = false

  /** Starts the record, and sets the response's `x-request-id` before anything can fail. */
  constructor(
    private readonly route: string,
    readonly response: ServerResponse,
  ) {
    this.requestId = assignRequestId(response)
    this.#publicId = publicId("req", this.requestId)
    // Clients written for System One report this header instead of x-request-id.
    if (isOfSystemOne(route)) response.setHeader("x-typesafe-request-id", this.#publicId)
    const { method = "", headers } = response.req
    this.#span = runtime().tracing?.startRequest(method, route, parseTraceparent(headers.traceparent))
  }

  /** Runs `work`, whose stages then belong to this request's span. */
  run<T>(work: () => T): T {
    return inSpan(this.#span, work)
  }

  /** Runs `work`, which sends the 200, or sends the error that it throws. Then ends the record. */
  async answer(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.end(200, "ok")
    } catch (thrown) {
      const error = toServiceError(thrown)
      sendError(this.response, error)
      this.end(error.status, error.code, error.cause, error)
    }
  }

  /** Whether the request has ended: it was answered, or its client has left. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Ends the record. A request that was refused at its deadline ends only once, whatever its work returns later. */
  end(status: number, code: string, cause?: unknown, refusal?: ServiceError): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { requestId, route, payer, model, tokens, states } = this
    const elapsedMs = performance.now() - this.startedAt
    const traceId = this.#span?.traceId ?? traceIdOf(this.response.req.headers.traceparent)
    const ended = {
      requestId: this.#publicId,
      traceId,
      route,
      status,
      code,
      elapsedMs,
      payer,
      model,
      tokens,
      cause,
      states,
    }
    recordEnd({ ...ended, isLogged: isLogged(runtime(), this.response.req, status) })
    this.#span?.end({
      requestId: this.#publicId,
      status,
      code,
      failed: status >= 500,
      model: model ?? undefined,
      tokens,
    })
    if (states !== undefined) return
    const isCharged = status === 200 && tokens !== undefined
    this.#store({ requestId, model, status, code, latencyMs: Math.round(elapsedMs), isCharged }, this.facts, refusal)
  }

  /** Stores a request without a 200, and what is noted of it and of a charged one. An answer that was charged before has no row. */
  #store(
    { isCharged, ...ended }: Omit<RequestEvent, "actor" | "at"> & { isCharged: boolean },
    facts: RequestFacts,
    refusal?: ServiceError | null,
  ): void {
    const { payer: actor, rates, response } = this
    if (!actor) return
    const { events } = runtime()
    const at = new Date()
    const isListed = ended.status === 200 ? isCharged : events.add({ ...ended, actor, at })
    if (!isListed) return
    const limits = refusal ? limitsOf(rates, refusal) : null
    const { requestId } = ended
    events.addDetails({ requestId, actor, at, facts, retries: retriesOf(response.req.headers), limits })
  }

  /** Records a state of a batch like a request of its own. */
  endState({ requestId, latencyMs, model, tokens, facts, failure }: EndedState): void {
    const { route, payer } = this
    const error = failure === null ? null : toServiceError(failure)
    const isGone = failure instanceof ClientGone
    const status = isGone ? 499 : (error?.status ?? 200)
    const code = isGone ? "client_gone" : (error?.code ?? "ok")
    recordEnd({
      requestId: publicId("req", requestId),
      traceId: this.#span?.traceId ?? traceIdOf(this.response.req.headers.traceparent),
      route,
      status,
      code,
      elapsedMs: latencyMs,
      payer,
      model,
      tokens: tokens ?? undefined,
      cause: isGone ? undefined : error?.cause,
    })
    this.#store({ requestId, model, status, code, latencyMs, isCharged: tokens !== null }, facts, isGone ? null : error)
  }
}
