import { newId, publicId } from "@/lib/server/platform/ids"
import { isOwnOrigin } from "@/lib/server/platform/own-origin"
import { runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
import { confirmEmail } from "./confirm-email"
import { confirmLink } from "./confirm-link"
import { confirmSession } from "./confirmation"
import { browserToken, markKnownBrowser } from "./known-browser"
import { requestLink } from "./request-link"
import { returnPath, signInPath } from "./return-path"
import { readCookie, sessionCookieName, setCookieText } from "./session-cookie"
import { actorOfCookies } from "./session-store"
import { endAllSessions, endSession } from "./sessions"
import { recordSignIn } from "./sign-in-events"
import { type SignInState, writeSignInState } from "./sign-in-state"
import { switchAccount } from "./switch-account"

type AuthRoute = (form: URLSearchParams, request: Request) => Promise<Response>

const MAX_FORM_BYTES = 8_192

/** Reads a small urlencoded form; null for another content type or a body over 8 KiB. */
async function readForm(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/x-www-form-urlencoded") return null
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > MAX_FORM_BYTES) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

// Redirects to a path, never to a URL, so that no header of the request can choose another host.
function seeOther(path: string, ...cookies: string[]): Response {
  const headers = new Headers({ location: path, "cache-control": "no-store" })
  for (const cookie of cookies) headers.append("set-cookie", cookie)
  return new Response(null, { status: 303, headers })
}

const senderOf = (request: Request) => ({
  cookieHeader: request.headers.get("cookie") ?? undefined,
  clientAddress: request.headers.get("x-svc-client"),
})

const remember = (state: SignInState | null): string => writeSignInState(state, runtime().env)

async function sendLink(form: URLSearchParams, request: Request): Promise<Response> {
  const typed = form.get("email") ?? ""
  const next = form.get("next")
  const email = parseEmailAddress(typed)
  if (!email) return seeOther(signInPath(next, "email"), remember({ email: typed }))
  try {
    const limit = await requestLink({ email, returnTo: returnPath(next), ...senderOf(request) })
    const nowMs = Date.now()
    const retryAtMs = nowMs + (limit?.retryAfterSeconds ?? 60) * 1_000
    if (limit && !limit.recent) return seeOther(signInPath(next, "limit"), remember({ email, retryAtMs }))
    const state = limit ? { email, retryAtMs } : { email, retryAtMs, sentAtMs: nowMs }
    return seeOther(signInPath(next).replace("/sign-in", "/sign-in/check"), remember(state))
  } catch (cause) {
    const { clientAddress } = senderOf(request)
    recordSignIn("sign_in.send_failed", { email, clientAddress, requestId: publicId("req", newId()), cause })
    return seeOther(signInPath(next, "mail"), remember({ email }))
  }
}

async function confirm(form: URLSearchParams, request: Request): Promise<Response> {
  const email = parseEmailAddress(form.get("email")) ?? ""
  const next = form.get("next")
  const known = browserToken(senderOf(request).cookieHeader)
  try {
    const confirmed = await confirmLink({
      token: form.get("token") ?? "",
      email,
      userAgent: request.headers.get("user-agent"),
      browserToken: known,
      ...senderOf(request),
    })
    if (confirmed.outcome === "signed_in")
      return seeOther(returnPath(next), confirmed.cookie, markKnownBrowser(known), remember(null))
    return seeOther(signInPath(next, confirmed.outcome === "suspended" ? "suspended" : "link"), remember({ email }))
  } catch (cause) {
    const { clientAddress } = senderOf(request)
    recordSignIn("sign_in.confirm_failed", { email, clientAddress, requestId: publicId("req", newId()), cause })
    return seeOther(signInPath(next, "failed"), remember({ email }))
  }
}

async function confirmChange(form: URLSearchParams, request: Request): Promise<Response> {
  const next = form.get("next")
  const { clientAddress } = senderOf(request)
  const link = { token: form.get("token") ?? "", email: form.get("email") ?? "", clientAddress }
  // The sign-in page sends a signed-in user on to `next`.
  return seeOther(signInPath(next, (await confirmSession(link)) ? "confirmed" : "link"))
}

async function confirmAddress(form: URLSearchParams, request: Request): Promise<Response> {
  const result = await confirmEmail(form.get("token") ?? "", senderOf(request).clientAddress)
  return seeOther(`/sign-in/confirm?${new URLSearchParams({ address: result })}`)
}

const noSession = (): string => setCookieText(sessionCookieName(runtime().env), "", { maxAgeSeconds: 0 }, runtime().env)

/**
 * Returns a redirect that deletes the session cookie. It also deletes drafts and past runs in the browser's storage, which the next
 * user of the browser could read, unless the user chose to keep them.
 */
function signedOut(form: URLSearchParams, path: string): Response {
  const response = seeOther(path, noSession())
  if (form.get("keep") !== "on") response.headers.set("clear-site-data", '"storage"')
  return response
}

async function signOut(form: URLSearchParams, request: Request): Promise<Response> {
  const { cookieHeader, clientAddress } = senderOf(request)
  await endSession(readCookie(cookieHeader, sessionCookieName(runtime().env)), clientAddress)
  return signedOut(form, form.get("reason") === "deleted" ? "/sign-in?problem=deleted" : "/")
}

async function signOutEverywhere(form: URLSearchParams, request: Request): Promise<Response> {
  const { cookieHeader, clientAddress } = senderOf(request)
  const actor = await actorOfCookies(cookieHeader, clientAddress)
  if (actor) await endAllSessions(actor)
  return signedOut(form, "/sign-in")
}

async function chooseAccount(form: URLSearchParams, request: Request): Promise<Response> {
  const { cookieHeader, clientAddress } = senderOf(request)
  const actor = await actorOfCookies(cookieHeader, clientAddress)
  const next = form.get("next")
  if (!actor) return seeOther(signInPath(next))
  await switchAccount(actor, { id: form.get("account") ?? "" })
  return seeOther(returnPath(next))
}

const ROUTES = new Map<string, AuthRoute>([
  ["signin/email", sendLink],
  ["callback/email", confirm],
  ["callback/confirmation", confirmChange],
  ["callback/address", confirmAddress],
  ["account", chooseAccount],
  ["signout", signOut],
  ["signout/everywhere", signOutEverywhere],
])

/**
 * Handles a form of the console's own sign-in pages. Returns 404 for another path, 403 for another origin and 400 for a body that is
 * not a small form.
 */
export async function handleAuthRequest(path: string, request: Request): Promise<Response> {
  const route = ROUTES.get(path)
  if (!route) return new Response("Not found", { status: 404 })
  const { env } = runtime()
  if (!isOwnOrigin(request.headers.get("origin") ?? undefined, env.CONSOLE_URL))
    return new Response(`This form was not sent from the console at ${env.CONSOLE_URL}.`, { status: 403 })
  const form = await readForm(request)
  return form ? route(form, request) : new Response("Bad request", { status: 400 })
}
