import { nameOf } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { errorBody, ServiceError, toServiceError } from "@/lib/shared/errors"
import { REQUEST_ID_HEADER } from "@/lib/shared/request-ids"
import { change, etagOf } from "./change"
import { findOperation, MethodNotAllowed } from "./find-operation"
import { keptRequest } from "./kept-answers"
import type { Operation } from "./operation"
import { isDryRun, readSent } from "./read-request"

/** The routes below a base, and who may use them. */
export interface ManagementApi<CallActor extends Actor> {
  base: string
  operations: readonly Operation<CallActor>[]
  /** Returns the actor of a token. Throws `invalid_api_key`. */
  authenticate(runtime: Runtime, request: Request): Promise<CallActor>
  /** Counts a request. Throws `rate_limited`. */
  count(runtime: Runtime, actor: CallActor): Promise<void>
}

interface Reply {
  body: unknown
  /** Whether the body is an array that is sent as JSON Lines. */
  isLines?: boolean | undefined
  headers?: Record<string, string>
}

const WRITES = new Set(["POST", "PUT", "DELETE"])

async function run<CallActor extends Actor>(
  runtime: Runtime,
  api: ManagementApi<CallActor>,
  request: Request,
): Promise<Reply> {
  const url = new URL(request.url)
  const { operation, ids } = findOperation(api.operations, request.method, url.pathname.slice(api.base.length))
  const actor = await api.authenticate(runtime, request)
  await api.count(runtime, actor)
  requireRight(actor, operation.right)
  const isDry = isDryRun(url)
  if (isDry && !operation.hasDryRun)
    throw new ServiceError("invalid_request", { param: "dry_run", message: "This route has no dry run." })
  const sent = await readSent(request, url, ids)
  const work = operation.prepare(sent)
  if (WRITES.has(request.method)) {
    // The body may have taken long to arrive, and the token may have ended or lost the right meanwhile.
    const again = await api.authenticate(runtime, request)
    requireRight(again, operation.right)
    return change(runtime, operation, {
      actor: again,
      work: (joined) => work(joined, again),
      ids,
      isDry,
      request,
      kept: operation.takesKey ? keptRequest(request, nameOf(again), sent.raw) : null,
    })
  }
  // Read first, so that the tag is never newer than the body.
  const headers: Record<string, string> = operation.version ? { etag: await etagOf(runtime, operation, ids) } : {}
  return { body: await work(runtime, actor), headers, isLines: operation.isLines }
}

function responseOf({ body, isLines, headers }: Reply): Response {
  const all = { "cache-control": "no-store", ...headers }
  if (!isLines) return Response.json(body, { headers: all })
  const lines = (body as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join("")
  return new Response(lines, { headers: { ...all, "content-type": "application/jsonl" } })
}

function refusal(runtime: Runtime, request: Request, thrown: unknown): Response {
  const error = toServiceError(thrown)
  if (error.code === "internal_error")
    runtime.log.error("A request of a management API failed", {
      event: "management.failed",
      requestId: request.headers.get(REQUEST_ID_HEADER) ?? undefined,
      code: error.code,
      cause: error.cause ?? thrown,
    })
  const headers: Record<string, string> = {}
  if (thrown instanceof MethodNotAllowed) headers.allow = thrown.allow
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(error.retryAfterSeconds)
  return Response.json(errorBody(error), { status: error.status, headers: { "cache-control": "no-store", ...headers } })
}

/** Returns the response to a request of a management API. Never throws. */
export async function answerManagement<CallActor extends Actor>(
  runtime: Runtime,
  api: ManagementApi<CallActor>,
  request: Request,
): Promise<Response> {
  try {
    return responseOf(await run(runtime, api, request))
  } catch (thrown) {
    return refusal(runtime, request, thrown)
  }
}
