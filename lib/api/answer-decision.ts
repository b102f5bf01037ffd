import "server-only"
import type { IncomingMessage, ServerResponse } from "node:http"
import { decide } from "../decisions/decide"
import { toServiceError } from "../errors"
import { publicId } from "../ids"
import type { KnownKey } from "../keys/key-cache"
import type { WindowState } from "../limits/windows"
import { runtime } from "../runtime"
import { discardBody, isChunked, isPlainJson, readBody, refuseDeclaredLength } from "./body"
import { ClientGone, type InFlight } from "./in-flight"
import { assignRequestId } from "./request-id"
import { removeRateHeaders, sendError, sendErrorAndClose, sendJson, setRateHeaders } from "./respond"

interface Door {
  route: string
  inFlight: InFlight
  /** Who spends: throws the door's own 401 or 403. */
  findKey(request: IncomingMessage): Promise<KnownKey>
}

/** What is known of a request so far, for its log line and its event. */
interface Trace {
  requestId: string
  startedAt: number
  key: KnownKey | null
  model: string | null
  tokens?: number
}

/**
 * Answers one decision request at either door, in spec.md's order of checks: size, key, then `decide`. Never rejects: what
 * goes wrong becomes an error of the table.
 */
export async function answerDecision(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
  const trace: Trace = { requestId: assignRequestId(response), startedAt: performance.now(), key: null, model: null }
  const signal = door.inFlight.watch(response)
  try {
    refuseDeclaredLength(request)
    const json = await acceptAndDecide(request, response, door, trace, signal)
    sendJson(response, 200, json)
    finish(door, trace, 200, "ok")
  } catch (thrown) {
    refuse(request, response, door, trace, signal.aborted ? signal.reason : thrown)
  }
}

async function acceptAndDecide(
  request: IncomingMessage,
  response: ServerResponse,
  door: Door,
  trace: Trace,
  signal: AbortSignal,
): Promise<string> {
  const chunked = isChunked(request)
  const key = await door.findKey(request).catch(async (refusal) => {
    // A body over the limit beats a bad key, and only reading tells how long a chunked one is.
    if (chunked) await discardBody(request, signal)
    throw refusal
  })
  const accept = async (): Promise<WindowState> => {
    trace.key = key
    const window = await runtime().rates.count(key, key.perSecond)
    setRateHeaders(response, window)
    return window
  }
  const early = chunked ? null : await accept()
  const body = await readBody(request, signal)
  const window = early ?? (await accept())
  const decision = await decide({
    requestId: trace.requestId,
    actor: key,
    window,
    body,
    isPlainJson: isPlainJson(request),
    startedAt: trace.startedAt,
    signal,
    onModel: (model) => {
      trace.model = model
    },
  })
  trace.tokens = decision.tokens
  return decision.json
}

function refuse(request: IncomingMessage, response: ServerResponse, door: Door, trace: Trace, thrown: unknown): void {
  if (thrown instanceof ClientGone) {
    finish(door, trace, 499, "client_gone")
    return
  }
  const error = toServiceError(thrown)
  if (error.status >= 500)
    runtime().log.error("a request failed", {
      requestId: publicId("req", trace.requestId),
      code: error.code,
      cause: error.cause,
    })
  if (error.code === "invalid_api_key") removeRateHeaders(response)
  const cutOff = !request.complete && (error.code === "request_too_large" || error.code === "upstream_timeout")
  if (cutOff) sendErrorAndClose(request, response, error)
  else sendError(response, error)
  finish(door, trace, error.status, error.code)
}

function finish(
  { route }: Door,
  { requestId, startedAt, key, model, tokens }: Trace,
  status: number,
  code: string,
): void {
  const { log, events } = runtime()
  const latencyMs = Math.round(performance.now() - startedAt)
  log.info("request", {
    requestId: publicId("req", requestId),
    route,
    status,
    code,
    latencyMs,
    accountId: key?.accountId,
    keyId: key?.keyId,
    model: model ?? undefined,
    tokens,
  })
  if (!key || status === 200) return
  events.add({ requestId, actor: key, model, status, code, latencyMs, at: new Date() })
}
