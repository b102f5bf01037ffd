import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import { addressBlock, isLoopbackAddress } from "@/lib/server/platform/client-address"
import { escapeHtml } from "@/lib/server/platform/escape-html"
import { newId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { remember, seeOther, senderOf } from "../auth-responses"
import { browserToken, markKnownBrowser } from "../known-browser"
import { returnPath, signInPath } from "../return-path"
import { readCookie } from "../session-cookie"
import { recordSignIn } from "../sign-in-events"
import { readSignInState, signInStateCookie } from "../sign-in-state"
import { confirmLinking } from "./link-person"
import { beginOidc, finishOidc } from "./oidc-sign-in"

/**
 * Returns a page that leads to the provider at once. A redirect would be refused by browsers: the console's policy allows its forms to
 * lead only to the console, also through redirects.
 */
function leadTo(url: string, cookies: string[]): Response {
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    refresh: `0; url=${url}`,
  })
  for (const cookie of cookies) headers.append("set-cookie", cookie)
  const link = `<a href="${escapeHtml(url)}">Continue</a>`
  return new Response(`<!doctype html><html lang="en"><title>Sign in</title><p>${link}</p></html>`, { headers })
}

/** Counts a step of a sign-in, each of which asks the provider. Returns false over the limit of the client. */
async function isWithinRate(runtime: Runtime, clientAddress: string | null): Promise<boolean> {
  // As for mailed links: a client of this machine is not counted, unless the service is public.
  if (clientAddress === null || (runtime.env.isLoopback && isLoopbackAddress(clientAddress))) return true
  return requireWithinRate(runtime, "provider_sign_ins", addressBlock(clientAddress)).then(
    () => true,
    () => false,
  )
}

const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url)

/** Begins a sign-in with the OpenID provider. */
export async function goToProvider(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const next = form.get("next")
  const { clientAddress } = senderOf(request)
  if (!runtime.env.SIGN_IN.oidc) return seeOther(signInPath(next))
  if (!(await isWithinRate(runtime, clientAddress))) return seeOther(signInPath(next, "oidc_limit"))
  const begun = await beginOidc(runtime, clientAddress)
  if (!begun || !isWebAddress(begun.url)) return seeOther(signInPath(next, "oidc_unreachable"))
  return leadTo(begun.url, [...begun.cookies, remember(runtime, { email: "", next: returnPath(next) })])
}

/** Ends a sign-in with the OpenID provider, which sent the browser here. */
export async function returnFromProvider(runtime: Runtime, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams
  const { cookieHeader, clientAddress } = senderOf(request)
  const { next } = readSignInState(readCookie(cookieHeader, signInStateCookie(runtime.env)))
  if (!runtime.env.SIGN_IN.oidc) return seeOther(signInPath(next))
  if (!(await isWithinRate(runtime, clientAddress))) return seeOther(signInPath(next, "oidc_limit"))
  if (query.has("error")) return seeOther(signInPath(next, "oidc_denied"))
  const known = browserToken(runtime, cookieHeader)
  try {
    const userAgent = request.headers.get("user-agent")
    const { problem, cookies } = await finishOidc(runtime, {
      query,
      cookieHeader,
      clientAddress,
      userAgent,
      browserToken: known,
    })
    const kept = [...cookies, markKnownBrowser(runtime, known), remember(runtime, null)]
    return seeOther(problem ? signInPath(next, problem) : returnPath(next), ...kept)
  } catch (cause) {
    recordSignIn(runtime, "sign_in.confirm_failed", { clientAddress, requestId: publicId("req", newId()), cause })
    return seeOther(signInPath(next, "oidc_failed"))
  }
}

/** Links the person of the OpenID provider to the user who got the link by mail. */
export async function confirmIdentity(runtime: Runtime, form: URLSearchParams, request: Request): Promise<Response> {
  const { cookieHeader, clientAddress } = senderOf(request)
  const browser = { browserToken: browserToken(runtime, cookieHeader), clientAddress }
  const linked = runtime.env.SIGN_IN.oidc && (await confirmLinking(runtime, form.get("token") ?? "", browser))
  return seeOther(signInPath(null, linked ? "linked" : "not_linked"))
}
