import type { IncomingMessage, ServerResponse } from "node:http"
import { decide } from "@/lib/server/decisions/decide"
import type { KnownKey } from "@/lib/server/keys/key-cache"
import type { WindowState } from "@/lib/server/limits/windows"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { toServiceError } from "@/lib/shared/errors"
import { type BodySource, discardBody, isChunked, isPlainJson, readBody, refuseDeclaredLength } from "./body"
import type { BodyRoom } from "./body-budget"
import { ClientGone, type InFlight } from "./in-flight"
import { recordEnd } from "./record-end"
import { assignRequestId } from "./request-id"
import { removeRateHeaders, sendErrorAndClose, sendJson, sendRefusal, setRateHeaders } from "./respond"

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
  /** The charge is under way: a deadline no longer answers. */
  isCharging: boolean
  /** Answered and logged, or nobody is left to answer. */
  isEnded: boolean
}

/**
 * Answers one decision request at either door, in spec.md's order of checks: size, key, then `decide`. Never rejects: what
 * goes wrong becomes an error of the table.
 */
export async function answerDecision(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
  const trace: Trace = {
    requestId: assignRequestId(response),
    startedAt: performance.now(),
    key: null,
    model: null,
    isCharging: false,
    isEnded: false,
  }
  const refuse = (thrown: unknown) => refuseOnce(request, response, door, trace, thrown)
  const room = door.inFlight.bodies.room()
  // At the deadline the client is answered at once, whatever the request still waits for.
  const signal = door.inFlight.watch(response, (reason) => {
    if (!trace.isCharging) refuse(reason)
  })
  try {
    refuseDeclaredLength(request)
    const json = await acceptAndDecide({ request, response, signal }, room, door, trace)
    // An answer can be as long as its body, so the room is taken until the client has read it.
    response.once("close", () => room.release())
    sendJson(response, 200, json)
    finish(door, trace, 200, "ok")
    if (response.destroyed) room.release()
  } catch (thrown) {
    room.release()
    refuse(signal.aborted ? signal.reason : thrown)
  }
}

async function acceptAndDecide(source: BodySource, room: BodyRoom, door: Door, trace: Trace): Promise<string> {
  const { request, response, signal } = source
  const chunked = isChunked(request)
  const key = await door.findKey(request).catch(async (refusal) => {
    // A body over the limit beats a bad key, and only reading tells how long a chunked one is.
    if (chunked) await discardBody(source)
    throw refusal
  })
  const accept = async (): Promise<WindowState> => {
    trace.key = key
    const window = await runtime().rates.count(key, key.perSecond)
    setRateHeaders(response, window)
    return window
  }
  room.belongsTo(key.accountId)
  const early = chunked ? null : await accept()
  const body = await runtime().metrics.timed("read", () => readBody(source, room))
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
    onCharge: () => {
      trace.isCharging = true
    },
  })
  trace.tokens = decision.tokens
  return decision.json
}

function refuseOnce(
  request: IncomingMessage,
  response: ServerResponse,
  door: Door,
  trace: Trace,
  thrown: unknown,
): void {
  if (trace.isEnded) return
  if (thrown instanceof ClientGone) return void finish(door, trace, 499, "client_gone")
  const error = toServiceError(thrown)
  if (error.code === "invalid_api_key") removeRateHeaders(response)
  const isCutOff = !request.complete && (error.code === "request_too_large" || error.code === "upstream_timeout")
  if (isCutOff) sendErrorAndClose(request, response, error)
  else sendRefusal(request, response, error)
  finish(door, trace, error.status, error.code, error.cause)
}

function finish({ route }: Door, trace: Trace, status: number, code: string, cause?: unknown): void {
  trace.isEnded = true
  const { requestId, startedAt, key, model, tokens } = trace
  const elapsedMs = performance.now() - startedAt
  recordEnd({ requestId: publicId("req", requestId), route, status, code, elapsedMs, actor: key, model, tokens, cause })
  if (!key || status === 200) return
  const latencyMs = Math.round(elapsedMs)
  runtime().events.add({ requestId, actor: key, model, status, code, latencyMs, at: new Date() })
}
