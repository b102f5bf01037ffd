import { newId, publicId } from "@/lib/server/platform/ids"
import { isOwnOrigin } from "@/lib/server/platform/own-origin"
import type { Runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { actorOfCookies } from "./actor-of-cookies"
import { remember, seeOther, senderOf } from "./auth-responses"
import { confirmEmail } from "./confirm-email"
import { confirmLink } from "./confirm-link"
import { confirmSession } from "./confirmation"
import { browserToken, markKnownBrowser } from "./known-browser"
import { backchannelLogout } from "./oidc/backchannel-logout"
import { confirmIdentity, goToProvider } from "./oidc/oidc-routes"
import { requestLink } from "./request-link"
import { returnPath, signInPath } from "./return-path"
import { readCookie, sessionCookieName, setCookieText } from "./session-cookie"
import { endAllSessions, endSession } from "./sessions"
import { recordSignIn } from "./sign-in-events"
import { switchAccount } from "./switch-account"

type AuthRoute = (runtime: Runtime, form: URLSearchParams, request: Request) => Promise<Response>

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

async function sendLink(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const typed = form.get("email") ?? ""
  const next = form.get("next")
  const email = parseEmailAddress(typed)
  if (!email) return seeOther(signInPath(next, "email"), remember(runtime, { email: typed }))
  try {
    const limit = await requestLink(runtime, { email, returnTo: returnPath(next), ...senderOf(request) })
    const nowMs = Date.now()
    const retryAtMs = nowMs + (limit?.retryAfterSeconds ?? 60) * 1_000
    if (limit && !limit.recent) return seeOther(signInPath(next, "limit"), remember(runtime, { email, retryAtMs }))
    const state = limit ? { email, retryAtMs } : { email, retryAtMs, sentAtMs: nowMs }
    return seeOther(signInPath(next).replace("/sign-in", "/sign-in/check"), remember(runtime, state))
  } catch (cause) {
    const { clientAddress } = senderOf(request)
    recordSignIn(runtime, "sign_in.send_failed", { email, clientAddress, requestId: publicId("req", newId()), cause })
    return seeOther(signInPath(next, "mail"), remember(runtime, { email }))
  }
}

async function confirm(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const email = parseEmailAddress(form.get("email")) ?? ""
  const next = form.get("next")
  const known = browserToken(runtime, senderOf(request).cookieHeader)
  try {
    const confirmed = await confirmLink(runtime, {
      token: form.get("token") ?? "",
      email,
      userAgent: request.headers.get("user-agent"),
      browserToken: known,
      ...senderOf(request),
    })
    if (confirmed.outcome === "signed_in")
      return seeOther(returnPath(next), confirmed.cookie, markKnownBrowser(runtime, known), remember(runtime, null))
    const problem = confirmed.outcome === "invalid_link" ? "link" : confirmed.outcome
    return seeOther(signInPath(next, problem), remember(runtime, { email }))
  } catch (cause) {
    const { clientAddress } = senderOf(request)
    recordSignIn(runtime, "sign_in.confirm_failed", {
      email,
      clientAddress,
      requestId: publicId("req", newId()),
      cause,
    })
    return seeOther(signInPath(next, "failed"), remember(runtime, { email }))
  }
}

async function confirmChange(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const next = form.get("next")
  const { clientAddress } = senderOf(request)
  const link = { token: form.get("token") ?? "", email: form.get("email") ?? "", clientAddress }
  // The sign-in page sends a signed-in user on to `next`.
  return seeOther(signInPath(next, (await confirmSession(runtime, link)) ? "confirmed" : "link"))
}

async function confirmAddress(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const result = await confirmEmail(runtime, form.get("token") ?? "", senderOf(request).clientAddress)
  return seeOther(`/sign-in/confirm?${new URLSearchParams({ address: result })}`)
}

/** Serves a route of the mailed sign-in link only where `SIGN_IN` allows that. */
const whereLinksSignIn =
  (route: AuthRoute): AuthRoute =>
  async (runtime, form, request) =>
    runtime.env.SIGN_IN.link ? route(runtime, form, request) : seeOther(signInPath(form.get("next")))

const noSession = ({ env }: Runtime): string => setCookieText(sessionCookieName(env), "", { maxAgeSeconds: 0 }, env)

/**
 * Returns a redirect that deletes the session cookie. Drafts, past runs and evaluations stay in the browser's storage, unless the
 * user chose to delete them.
 */
function signedOut(runtime: Runtime, form: URLSearchParams, path: string): Response {
  const response = seeOther(path, noSession(runtime))
  if (form.get("clear") === "on") response.headers.set("clear-site-data", '"storage"')
  return response
}

async function signOut(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const { cookieHeader, clientAddress } = senderOf(request)
  await endSession(runtime, readCookie(cookieHeader, sessionCookieName(runtime.env)), clientAddress)
  return signedOut(runtime, form, form.get("reason") === "deleted" ? "/sign-in?problem=deleted" : "/")
}

async function signOutEverywhere(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const { cookieHeader, clientAddress } = senderOf(request)
  const actor = await actorOfCookies(runtime, cookieHeader, clientAddress)
  if (actor) await endAllSessions(runtime, actor)
  return signedOut(runtime, form, "/sign-in")
}

async function chooseAccount(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const { cookieHeader, clientAddress } = senderOf(request)
  const actor = await actorOfCookies(runtime, cookieHeader, clientAddress)
  const next = form.get("next")
  if (!actor) return seeOther(signInPath(next))
  await switchAccount(runtime, actor, { id: form.get("account") ?? "" })
  return seeOther(returnPath(next))
}

const ROUTES = new Map<string, AuthRoute>([
  ["signin/email", whereLinksSignIn(sendLink)],
  ["callback/email", whereLinksSignIn(confirm)],
  ["signin/oidc", goToProvider],
  ["callback/identity", confirmIdentity],
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
export async function handleAuthRequest(runtime: Runtime, path: string, request: Request): Promise<Response> {
  // The provider sends it, from no page. A signature proves that.
  if (path === "backchannel-logout")
    return backchannelLogout(runtime, await readForm(request), senderOf(request).clientAddress)
  const route = ROUTES.get(path)
  if (!route) return new Response("Not found", { status: 404 })

  if (!isOwnOrigin(request.headers.get("origin") ?? undefined, runtime.env.CONSOLE_URL))
    return new Response(`This form was not sent from the console at ${runtime.env.CONSOLE_URL}.`, { status: 403 })
  const form = await readForm(request)
  return form ? route(runtime, form, request) : new Response("Bad request", { status: 400 })
}
