import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isLocalOnly } from "@/lib/server/auth/local-only"
import { clientAddress } from "@/lib/server/platform/client-address"
import type { Env } from "@/lib/server/platform/env"
import { isOwnOrigin } from "@/lib/server/platform/own-origin"

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

/** What never changes under its name, so anybody may keep it: all else here may be somebody's own, or of one moment. */
const STATIC = /^\/(?:_next\/static\/|icon\.svg(?:\?|$))/

/** What every answer of this server has, the API's too. */
export function setCommonHeaders(response: ServerResponse, { isSecure }: Pick<Env, "isSecure">): void {
  response.setHeader("x-content-type-options", "nosniff")
  if (isSecure) response.setHeader("strict-transport-security", "max-age=31536000")
}

/** What Next compares a form's `Origin` with, instead of a `Host` that a proxy may rewrite: so both doors agree on what is ours. */
const ownHost = (origin: string | undefined, consoleUrl: string): string =>
  new URL(origin && isOwnOrigin(origin, consoleUrl) ? origin : consoleUrl).host

/** The same address, its percent signs taken literally where they spell no text: Next answers those with 500, or a page of its own. */
function decodable(url: string): string {
  const [path = "", ...query] = url.split("?")
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?")
  }
}

/**
 * Prepares a request for Next: headers that only we may set are removed or set, the policy's nonce goes where Next reads it,
 * and the response gets its security headers.
 */
export function prepareForConsole(request: IncomingMessage, response: ServerResponse, env: Env): void {
  request.url = decodable(request.url ?? "/")
  delete request.headers["x-middleware-subrequest"]
  // Told before Next sees the request: it adds forwarding headers of its own.
  const local = isLocalOnly(Object.entries(request.headers), request.socket.remoteAddress, env)
  request.headers["x-svc-local"] = local ? "1" : "0"
  request.headers["x-svc-peer"] = request.socket.remoteAddress ?? ""
  request.headers["x-svc-client"] = clientAddress(request, env.TRUSTED_PROXY_HOPS)
  request.headers["x-forwarded-host"] = ownHost(request.headers.origin, env.CONSOLE_URL)
  const csp = policy(randomBytes(16).toString("base64"), env)
  request.headers["content-security-policy"] = csp
  response.setHeader("content-security-policy", csp)
  setCommonHeaders(response, env)
  // First, so that it holds for redirects, handlers and errors too, which Next sends without; static files get Next's own.
  if (!STATIC.test(request.url)) response.setHeader("cache-control", "private, no-store")
  // no-referrer would make form posts send `Origin: null`.
  response.setHeader("referrer-policy", "same-origin")
  response.setHeader("x-frame-options", "DENY")
}
