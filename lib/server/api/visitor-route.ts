import type { IncomingMessage } from "node:http"
import type { KnownKey } from "@/lib/server/keys/key-cache"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { WindowState } from "@/lib/server/limits/windows"
import { clientBlock } from "@/lib/server/platform/client-address"
import { requireOwnOrigin } from "@/lib/server/platform/own-origin"
import { runtime } from "@/lib/server/platform/runtime"
import { countVisitorRun, secondsOfDay } from "@/lib/server/visitors/count-visitor-run"
import { creditVisitors } from "@/lib/server/visitors/credit-visitors"
import { findVisitorKey } from "@/lib/server/visitors/visitor-key"
import { ServiceError } from "@/lib/shared/errors"
import { codingOf } from "./coding/content-coding"
import { decisionRoute, type Run, runDecision } from "./decision-routes"
import { isChunked } from "./read-body"

/** The largest body of a visitor: an example with a text of about a page. */
const MAX_BODY_BYTES = 16 * 1024

const tooLong = () =>
  new ServiceError("request_too_large", { param: "body", message: "Shorten the text, or sign in to send longer ones." })

/**
 * Throws `not_found` while trying without an account is off, `forbidden` for a request of another origin, and `request_too_large` for a
 * body whose length the headers do not limit. The console's pages declare the length of each body.
 */
async function findKeyOfVisitor(request: IncomingMessage, earlier?: KnownKey): Promise<KnownKey> {
  const { env } = runtime()
  if (!env.isTryOpen) throw new ServiceError("not_found")
  requireOwnOrigin(request.headers.origin, env.CONSOLE_URL)
  if (isChunked(request) || codingOf(request) !== null) throw tooLong()
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLong()
  if (!earlier) await requireWithinRate(runtime(), "visitors", clientBlock(request, env.TRUSTED_PROXY_HOPS))
  return findVisitorKey(runtime())
}

async function countRun(key: KnownKey, request: IncomingMessage): Promise<WindowState> {
  const { rates, env } = runtime()
  const window = await rates.count(key, key.perSecond)
  if (window.exceeded) return window
  await countVisitorRun(runtime(), clientBlock(request, env.TRUSTED_PROXY_HOPS))
  await creditVisitors(runtime(), key.accountId)
  return window
}

/** What the operator spends on visitors is not shown to them. */
const USED_UP: ReadonlySet<string> = new Set(["insufficient_balance", "key_limit_reached"])

const runForVisitor: Run = (call, dialect, priority) => {
  // The ledger would keep the visitor's tags, and count the run in a budget of the operator.
  delete call.request.headers["x-svc-tag"]
  return runDecision(call, dialect, priority).catch((thrown) => {
    if (!(thrown instanceof ServiceError && USED_UP.has(thrown.code))) throw thrown
    throw new ServiceError("rate_limited", {
      retryAfterSeconds: secondsOfDay(),
      message: "The runs without an account are used up for today. Sign in to continue.",
    })
  })
}

/** `POST /try/decisions`: a decision of a visitor without an account, charged to the operator's key for visitors. */
export const visitorDecisions = decisionRoute({
  path: "/try/decisions",
  serve: "console",
  authenticate: findKeyOfVisitor,
  countIn: countRun,
  run: runForVisitor,
  priority: "background",
})
