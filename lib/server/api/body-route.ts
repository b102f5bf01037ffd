import type { IncomingMessage, ServerResponse } from "node:http"
import { type Authorize, authorizing, type Verified } from "@/lib/server/platform/authority"
import { freeMemory } from "@/lib/server/platform/free-memory"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError, toServiceError } from "@/lib/shared/errors"
import type { BodyReservation } from "./body-budget"
import { codingOf, mediaFault } from "./coding/content-coding"
import { ClientGone, type InFlight } from "./in-flight"
import { type BodySource, discardBody, isChunked, readBody, refuseDeclaredLength } from "./read-body"
import { RequestRecord } from "./request-record"
import { removeRateHeaders, sendErrorAndClose, sendJson, sendRefusal } from "./respond"
import type { Route } from "./route"

/** A request to such a route, with its body. */
export interface BodyCall<Caller, Window> {
  request: IncomingMessage
  response: ServerResponse
  caller: Caller
  window: Window
  body: Buffer
  /** Why the headers alone refuse the body, as a message; null for JSON. */
  mediaFault: string | null
  /** Checks the caller again. To be called after every wait before work that the caller's authority allows. */
  authorize: Authorize
  /** Aborts at the deadline, at shutdown, or when the client leaves. The reason is the error to respond with, or `ClientGone`. */
  signal: AbortSignal
  record: RequestRecord
  /** Receives memory that is freed once the response is closed. */
  onMemory(memory: Uint8Array): void
  /** Must be called before the charge starts. From then on the response waits for the outcome of the charge. */
  onCharge(): void
}

interface BodyRouteOptions<Caller extends Verified, Window> {
  path: string
  serve: Route["serve"]
  /**
   * Identifies the caller from the request's headers. Throws the error to respond with. `earlier` is what it found before, when a
   * caller is checked again.
   */
  authenticate(request: IncomingMessage, earlier?: Caller): Promise<Caller>
  /** Counts the request against the caller's rate limit. */
  count(caller: Caller, response: ServerResponse, record: RequestRecord): Promise<Window>
  /** Called when the body is complete, so that a slow body takes no turn. Throws when the caller must send this body later. */
  admit?(caller: Caller, body: Buffer, response: ServerResponse, inFlight: InFlight): void
  /** Returns the body of the route's errors; spec.md's form unless given. */
  errorBody?(error: ServiceError): object
  /** Reads the body; `readBody` unless given. */
  read?(source: BodySource, reservation: BodyReservation, record: RequestRecord): Promise<Buffer>
  /** Returns the JSON text of the 200. */
  handle(call: BodyCall<Caller, Window>): Promise<string>
}

/**
 * Creates a `POST` route that takes a JSON body, in spec.md's order of checks: size, caller, rate count, body, handler. The
 * caller is checked again when the body is complete.
 * Turns every error that is thrown into an error response. The route's handler never rejects.
 */
export const bodyRoute = <Caller extends Verified, Window>(options: BodyRouteOptions<Caller, Window>): Route => ({
  path: options.path,
  method: "POST",
  serve: options.serve,
  errorBody: options.errorBody,
  handle: (request, response, inFlight) => {
    const record = new RequestRecord(options.path, response)
    return record.run(() => answer(request, record, inFlight, options))
  },
})

async function answer<Caller extends Verified, Window>(
  request: IncomingMessage,
  record: RequestRecord,
  inFlight: InFlight,
  options: BodyRouteOptions<Caller, Window>,
): Promise<void> {
  const { response } = record
  const reservation = inFlight.bodies.reservation()
  // An aborted request is refused at once, whatever it waits for, unless its body is still uncounted or its charge has started.
  let isAnsweredAtOnce = true
  let isCharging = false
  const signal = inFlight.watch(response, (reason) => {
    if (isAnsweredAtOnce) refuse(request, response, record, reason)
  })
  try {
    refuseDeclaredLength(request)
    const source = { request, response, signal, ticks: inFlight.ticks }
    const onUncounted = (isUncounted: boolean) => {
      isAnsweredAtOnce = !isUncounted
    }
    const accepted = await accept(source, reservation, record, { ...options, onUncounted })
    const { caller, window, authorize } = accepted
    const body = await decoded(source, accepted.body, reservation)
    options.admit?.(caller, body, response, inFlight)
    const json = await options.handle({
      request,
      response,
      caller,
      window,
      body,
      mediaFault: mediaFault(request),
      authorize,
      signal,
      record,
      onMemory: (memory) => void response.once("close", () => freeMemory(memory)),
      onCharge: () => {
        isAnsweredAtOnce = false
        isCharging = true
      },
    })
    // A response can be as long as the request's body, so the reservation is kept until the client has read it.
    response.once("close", () => reservation.release())
    sendJson(response, 200, json)
    record.end(200, "ok")
    if (response.destroyed) reservation.release()
  } catch (thrown) {
    reservation.release()
    // The error of a charge already says whether the end of the request is to blame.
    refuse(request, response, record, signal.aborted && !isCharging ? signal.reason : thrown)
  }
}

/**
 * Authenticates the caller, counts the request and reads the body. The 413 of a body over the limit comes before the 401 of a
 * bad key. So a chunked body, whose length is unknown, is read to its end even when the key is bad.
 */
async function accept<Caller extends Verified, Window>(
  source: BodySource,
  reservation: BodyReservation,
  record: RequestRecord,
  options: BodyRouteOptions<Caller, Window> & { onUncounted(isUncounted: boolean): void },
): Promise<{ caller: Caller; window: Window; body: Buffer; authorize: Authorize }> {
  const { authenticate, count, read = readBody, onUncounted } = options
  const chunked = isChunked(source.request)
  const caller = await authenticate(source.request).catch(async (refusal) => {
    if (chunked) await discardBody(source)
    throw refusal
  })
  reservation.setAccount(caller.accountId)
  const authorize = authorizing(caller, () => authenticate(source.request, caller))
  if (!chunked) {
    const window = await count(caller, source.response, record)
    const body = await read(source, reservation, record)
    await authorize()
    return { caller, window, body, authorize }
  }
  onUncounted(true)
  const [outcome] = await Promise.allSettled([read(source, reservation, record)])
  // Every request with a good key is counted, except for this 413, which comes before the key in spec.md's order.
  if (outcome.status === "rejected" && isTooLarge(outcome.reason)) throw outcome.reason
  await authorize()
  const window = await count(caller, source.response, record)
  if (outcome.status === "rejected") throw outcome.reason
  onUncounted(false)
  source.signal.throwIfAborted()
  return { caller, window, body: outcome.value, authorize }
}

/** Returns the body without its `Content-Encoding`. The handler refuses a body that the headers alone refuse. */
async function decoded(source: BodySource, body: Buffer, reservation: BodyReservation): Promise<Buffer> {
  const coding = codingOf(source.request)
  if (coding === null || coding === "unsupported" || mediaFault(source.request) !== null) return body
  return runtime().decoder.decode(coding, body, reservation, source.signal)
}

const isTooLarge = (reason: unknown): boolean => reason instanceof ServiceError && reason.code === "request_too_large"

function refuse(request: IncomingMessage, response: ServerResponse, record: RequestRecord, thrown: unknown): void {
  if (record.isEnded) return
  if (thrown instanceof ClientGone) return void record.end(499, "client_gone")
  const error = toServiceError(thrown)
  // Authority can end after the request was counted. Like every 401, that response has no rate headers.
  if (error.status === 401) removeRateHeaders(response)
  const isCutOff = !request.complete && (error.code === "request_too_large" || error.code === "upstream_timeout")
  if (isCutOff) sendErrorAndClose(request, response, error)
  else sendRefusal(request, response, error)
  record.end(error.status, error.code, error.cause, error)
}
