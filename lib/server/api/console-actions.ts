import type { IncomingMessage, ServerResponse } from "node:http"
import { hasSession } from "@/lib/server/auth/actor-of-cookies"
import { signInPath } from "@/lib/server/auth/return-path"
import { hashSessionToken, readCookie, sessionCookieName } from "@/lib/server/auth/session-cookie"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { pathOf, SAFE_METHODS, SIGNED_PATHS } from "./console-request"

/** The largest body of a server action or a form. React decodes it on one thread: 1 MB would block that for a second. */
const ACTION_BODY_BYTES = 64 * 1024
/** Decoding this much takes React less time than rendering a page, which anyone may request. Larger actions need a live session. */
const CHEAP_BODY_BYTES = 8 * 1024
/** The largest body of a signed webhook. */
const SIGNED_BODY_BYTES = 1024 * 1024

/** Every page whose server actions anyone may call: the price calculator works without an account and without JavaScript. */
const PUBLIC_ACTION_PAGES: ReadonlySet<string> = new Set(["/models"])
/** Route handlers under this path take no server actions. They authenticate their callers themselves. */
export const HANDLERS = "/api/"
/** For everyone but operators, nothing exists under this path. */
const OPERATOR_AREA = /^\/operator(?:\/|$)/

/** Returns the largest body that a console path takes, in bytes. */
export const maxConsoleBody = (request: IncomingMessage): number =>
  SIGNED_PATHS.has(pathOf(request)) ? SIGNED_BODY_BYTES : ACTION_BODY_BYTES

/** Returns true for a body that is, or may become, larger than what React decodes without a live session. */
export const hasLargeBody = (request: IncomingMessage): boolean => mayExceed(request, CHEAP_BODY_BYTES)

const mayExceed = ({ headers }: IncomingMessage, bytes: number): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > bytes

/** Throws `request_too_large` for a declared length above the path's limit. */
export function refuseLargeBody(request: IncomingMessage): void {
  if (Number(request.headers["content-length"] ?? 0) > maxConsoleBody(request))
    throw new ServiceError("request_too_large", { param: "body" })
}

/**
 * Returns whether a request comes from a session. For a small body, a cookie of the right form is enough. When its session has
 * ended, the page itself reports that and keeps what was typed.
 */
function isSignedIn(request: IncomingMessage): Promise<boolean> | boolean {
  const { cookie, "x-svc-client": client } = request.headers
  if (hasLargeBody(request)) return hasSession(runtime(), cookie, String(client))
  return hashSessionToken(readCookie(cookie, sessionCookieName(runtime().env))) !== null
}

/**
 * Refuses a server action of a signed-out client, unless its page is public. Returns true when a form was redirected to
 * sign-in. For an action, throws `signed_out` with the header that makes Next's client navigate there. Throws `not_found` in the
 * operator's area, as for any address without a page.
 */
export async function refuseAnonymousAction(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { method, headers } = request
  const path = pathOf(request)
  if (SAFE_METHODS.has(method) || path.startsWith(HANDLERS) || PUBLIC_ACTION_PAGES.has(path)) return false
  if (await isSignedIn(request)) return false
  if (OPERATOR_AREA.test(path)) throw new ServiceError("not_found")
  const location = signInPath(path)
  if (headers["next-action"] === undefined) {
    response.writeHead(303, { location, "cache-control": "no-store" }).end()
    return true
  }
  response.setHeader("x-action-redirect", `${location};replace`)
  throw new ServiceError("signed_out")
}
