import type { IncomingMessage, ServerResponse } from "node:http"
import { countRequest } from "@/lib/server/decisions/count-request"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError, toServiceError } from "@/lib/shared/errors"
import { type BodySource, isPlainJson, readBody, refuseDeclaredLength } from "./body"
import type { BodyRoom } from "./body-budget"
import { requireConsoleActor } from "./console-actor"
import { ClientGone, type InFlight } from "./in-flight"
import { recordEnd } from "./record-end"
import { assignRequestId } from "./request-id"
import { sendErrorAndClose, sendJson, sendRefusal } from "./respond"

const ROUTE = "/playground/tokens"
/** Per account: enough for a person who types. The API's own limits are not touched. */
const COUNTS_PER_SECOND = 5

interface Trace {
  requestId: string
  startedAt: number
  model: string | null
  isEnded: boolean
}

/** Answers what a decision request would cost, for a signed-in account from our own pages. Never rejects. */
export async function answerTokens(
  request: IncomingMessage,
  response: ServerResponse,
  inFlight: InFlight,
): Promise<void> {
  const trace: Trace = {
    requestId: publicId("req", assignRequestId(response)),
    startedAt: performance.now(),
    model: null,
    isEnded: false,
  }
  const refuse = (thrown: unknown) => refuseOnce(request, response, trace, thrown)
  const room = inFlight.bodies.room()
  const signal = inFlight.watch(response, refuse)
  try {
    refuseDeclaredLength(request)
    const json = await acceptAndCount({ request, response, signal }, room, trace)
    sendJson(response, 200, json)
    finish(trace, 200, "ok")
  } catch (thrown) {
    refuse(signal.aborted ? signal.reason : thrown)
  } finally {
    room.release()
  }
}

async function acceptAndCount(source: BodySource, room: BodyRoom, trace: Trace): Promise<string> {
  const { accountId } = await requireConsoleActor(source.request)
  if (!(await runtime().rates.countAddress(`tokens:${accountId}`, COUNTS_PER_SECOND)))
    throw new ServiceError("rate_limited", { retryAfterSeconds: 1 })
  room.belongsTo(accountId)
  const counted = await countRequest({
    accountId,
    body: await readBody(source, room),
    isPlainJson: isPlainJson(source.request),
    signal: source.signal,
    onModel: (model) => {
      trace.model = model
    },
  })
  return JSON.stringify(counted)
}

function refuseOnce(request: IncomingMessage, response: ServerResponse, trace: Trace, thrown: unknown): void {
  if (trace.isEnded) return
  if (thrown instanceof ClientGone) return void finish(trace, 499, "client_gone")
  const error = toServiceError(thrown)
  const isCutOff = !request.complete && (error.code === "request_too_large" || error.code === "upstream_timeout")
  if (isCutOff) sendErrorAndClose(request, response, error)
  else sendRefusal(request, response, error)
  finish(trace, error.status, error.code, error.cause)
}

function finish(trace: Trace, status: number, code: string, cause?: unknown): void {
  trace.isEnded = true
  const { requestId, startedAt, model } = trace
  recordEnd({ requestId, route: ROUTE, status, code, elapsedMs: performance.now() - startedAt, model, cause })
}
