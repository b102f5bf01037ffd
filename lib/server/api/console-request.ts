import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isLocalOnly } from "@/lib/server/auth/local-only"
import { hasOutboxCookie, outboxCookie } from "@/lib/server/auth/outbox-access"
import { clientAddress } from "@/lib/server/platform/client-address"
import type { Env } from "@/lib/server/platform/env"
import { isOwnOrigin, requireOwnOrigin } from "@/lib/server/platform/own-origin"
import { ServiceError } from "@/lib/shared/errors"
import { setCommonHeaders } from "./respond"

function policy(nonce: string, env: Env): string {
  const { isDevelopment } = env
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${isDevelopment ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self' https://checkout.stripe.com",
    "frame-ancestors 'none'",
  ].join("; ")
}

/** Files that never change under their name, so caches may keep them. Every other response may be private or outdated soon. */
const STATIC = /^\/(?:_next\/static\/|logo\/|icon\.svg(?:\?|$))/

/** Returns true for a request for a static file. */
export const isStatic = ({ url = "/" }: IncomingMessage): boolean => STATIC.test(url)

export const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"])
/** Exempt from the Origin check: authenticated by signature. */
export const SIGNED_PATHS: ReadonlySet<string> = new Set(["/api/stripe/webhook", "/api/auth/backchannel-logout"])
/** Exempt from the Origin check: authenticated by a token in a header, never by a cookie. */
export const TOKEN_PATHS = /^\/api\/admin\/v1\//

/** Returns a request's path as it was sent, without its query. */
export const pathOf = ({ url = "/" }: IncomingMessage): string => url.split("?", 1)[0] ?? url

const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:$|[/\\])/i

/**
 * Throws `not_found` for a path with a `.` or `..` segment. Next would resolve it, so a page could pass for a static file that
 * caches may keep. Browsers resolve such segments themselves.
 */
export function refuseDotSegments(request: IncomingMessage): void {
  if (DOT_SEGMENT.test(pathOf(request).replace(/%(?:2f|5c)/gi, "/"))) throw new ServiceError("not_found")
}

/**
 * Throws `forbidden` for a request that could change something and was not sent by a page of the console. Next's own check
 * accepts a server action without an `Origin`, and compares only host names.
 */
export function refuseForeignOrigin(request: IncomingMessage, consoleUrl: string): void {
  const { method, headers } = request
  const path = pathOf(request)
  if (SAFE_METHODS.has(method) || SIGNED_PATHS.has(path) || TOKEN_PATHS.test(path)) return
  requireOwnOrigin(headers.origin, consoleUrl)
}

/** Returns the host that Next compares a form's `Origin` with. It overrides `Host`, which a proxy may have rewritten. */
const ownHost = (origin: string | undefined, consoleUrl: string): string =>
  new URL(origin && isOwnOrigin(origin, consoleUrl) ? origin : consoleUrl).host

/** Escapes the percent signs of a path that cannot be decoded, for which Next would respond with 500. */
function decodable(url: string): string {
  const [path = "", ...query] = url.split("?")
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?")
  }
}

const isLocal = ({ headers, socket }: IncomingMessage, env: Env): boolean =>
  isLocalOnly(Object.entries(headers), socket.remoteAddress, env)

/**
 * Exchanges the secret in the outbox's address for a cookie, so that the secret leaves the address bar. Returns false for
 * every other request. Only a browser at this machine gets the cookie.
 */
export function openOutbox(request: IncomingMessage, response: ServerResponse, env: Env): boolean {
  const cookie = outboxCookie(request.url ?? "", env)
  if (cookie === null || !isLocal(request, env)) return false
  response.writeHead(303, { location: "/outbox", "set-cookie": cookie, "cache-control": "no-store" }).end()
  return true
}

/** Headers that direct Next's requests to itself. The protocol is always http there, also behind a proxy that speaks https. */
const FOR_NEXT_ONLY = ["x-middleware-subrequest", "x-action-forwarded", "x-forwarded-proto"]

/**
 * Prepares a request for Next. Overwrites the headers that only this server may set, among them the content security policy,
 * whose nonce Next reads. Also sets the response's security headers, which a refusal needs too.
 */
export function prepareForConsole(request: IncomingMessage, response: ServerResponse, env: Env): void {
  request.url = decodable(request.url ?? "/")
  for (const name of FOR_NEXT_ONLY) delete request.headers[name]
  const isFromHere = isLocal(request, env)
  request.headers["x-svc-local"] = isFromHere ? "1" : "0"
  request.headers["x-svc-outbox"] = isFromHere && hasOutboxCookie(request.headers, env) ? "1" : "0"
  request.headers["x-svc-client"] = clientAddress(request, env.TRUSTED_PROXY_HOPS)
  request.headers["x-forwarded-host"] = ownHost(request.headers.origin, env.CONSOLE_URL)
  request.headers["content-security-policy"] = policy(randomBytes(16).toString("base64"), env)
  setConsoleHeaders(request, response, env)
}

/** What no page of the console uses, and so no script in it may. */
const UNUSED = ["camera", "display-capture", "geolocation", "hid", "microphone", "midi", "payment", "serial", "usb"]
  .map((feature) => `${feature}=()`)
  .join(", ")

/** Sets the security headers of a response to a prepared request. */
export function setConsoleHeaders(request: IncomingMessage, response: ServerResponse, env: Env): void {
  setCommonHeaders(response, env)
  response.setHeader("content-security-policy", String(request.headers["content-security-policy"]))
  // Set here, because Next sends redirects, route handlers' responses and errors without it. Static files get Next's value.
  if (!isStatic(request)) response.setHeader("cache-control", "private, no-store")
  // With no-referrer, browsers would send form posts with `Origin: null`.
  response.setHeader("referrer-policy", "same-origin")
  response.setHeader("x-frame-options", "DENY")
  response.setHeader("cross-origin-opener-policy", "same-origin")
  response.setHeader("permissions-policy", UNUSED)
}
