import type { Runtime } from "@/lib/server/platform/runtime"
import { browserName } from "../known-browser"
import { runNextAuth } from "../next-auth"
import { readCookie, sessionCookieName } from "../session-cookie"
import { endSession } from "../sessions"
import { recordSignIn } from "../sign-in-events"
import { requestLinking } from "./link-person"
import { oidcCookies, type Person } from "./provider"

/** The longest value that a provider may send to the callback, in characters. */
const MAX_VALUE = 4_096

const cookieNames = ({ env }: Runtime): string[] => Object.values(oidcCookies(env)).map(({ name }) => name)

const ownCookies = (runtime: Runtime, setCookies: string[]): string[] =>
  setCookies.filter((text) => cookieNames(runtime).some((name) => text.startsWith(`${name}=`)))

const detailOf = (reason: string | null) => (reason === null ? {} : { detail: reason })

/** Returns the provider's address for a new sign-in, with the cookies that bind it to the browser. Null when it is unreachable. */
export async function beginOidc(
  runtime: Runtime,
  clientAddress: string | null,
): Promise<{ url: string; cookies: string[] } | null> {
  const { error, location, setCookies, reason } = await runNextAuth({
    action: "signin",
    provider: "oidc",
    clientAddress,
  })
  if (error)
    recordSignIn(runtime, "sign_in.oidc_refused", { clientAddress, reason: "oidc_unreachable", ...detailOf(reason) })
  return error ? null : { url: location, cookies: ownCookies(runtime, setCookies) }
}

interface Callback {
  query: URLSearchParams
  cookieHeader: string | undefined
  clientAddress: string | null
  /** The `User-Agent` header. */
  userAgent: string | null
  browserToken: string
}

/**
 * Why there is no session. `oidc_failed`: what the provider or the browser sent is invalid, or the provider is unreachable.
 * `oidc_denied`: the provider refused or the user cancelled. `unverified`: a new person without a verified address. `linking`: another
 * user has the address, and got a mail. `linking_limit`: that user got no mail, because of the limit of a day. `sign_up`: `SIGN_UP` does
 * not admit the address. `suspended`: every account of the user is suspended or closed.
 */
type OidcProblem = "oidc_failed" | "oidc_denied" | "unverified" | "linking" | "linking_limit" | "sign_up" | "suspended"

/** `cookies` are `Set-Cookie` texts. They end the sign-in that was under way, and hold the session if there is one. */
export interface OidcOutcome {
  problem: OidcProblem | null
  cookies: string[]
}

/** Returns the fields of a provider's callback that the library checks. */
function fieldsOf(query: URLSearchParams): Record<string, string> {
  const fields = ["code", "state", "iss"].map((name) => [name, query.get(name)] as const)
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => field[1] !== null && field[1].length <= MAX_VALUE),
  )
}

/** Returns the cookies of the sign-in that is under way, by name. */
function pendingCookies(runtime: Runtime, cookieHeader: string | undefined): Record<string, string> {
  const pairs = cookieNames(runtime).map((name) => [name, readCookie(cookieHeader, name)] as const)
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** Runs the callback. Returns the verified person, if any, and what became visible of the user. */
async function callBack(runtime: Runtime, { query, cookieHeader, userAgent, browserToken, clientAddress }: Callback) {
  let person: Person | undefined
  const refusals: OidcProblem[] = []
  const refuse = (problem: OidcProblem) => () => {
    refusals.push(problem)
  }
  const outcome = await runNextAuth({
    action: "callback",
    provider: "oidc",
    query: fieldsOf(query),
    cookies: pendingCookies(runtime, cookieHeader),
    clientAddress,
    browser: browserName(userAgent),
    browserToken,
    onPerson: (verified) => {
      person = verified
    },
    person: () => person,
    onRefused: refuse("sign_up"),
    onUnverified: refuse("unverified"),
    onBlocked: refuse("suspended"),
    onEnded: refuse("oidc_failed"),
  })
  return { ...outcome, person, refusal: refusals[0] }
}

/**
 * Ends the sign-in that the provider's callback completes: opens a session and ends the browser's previous one, or returns why not. A
 * new person becomes a user. A person whose verified address is a user's is linked only after that user confirms a mail.
 */
export async function finishOidc(runtime: Runtime, callback: Callback): Promise<OidcOutcome> {
  const { clientAddress, browserToken } = callback
  const { error, setCookies, person, refusal, reason } = await callBack(runtime, callback)
  const cookies = ownCookies(runtime, setCookies)
  const email = person?.email ?? undefined
  const refuse = (problem: OidcProblem): OidcOutcome => {
    recordSignIn(runtime, "sign_in.oidc_refused", { email, clientAddress, reason: problem, ...detailOf(reason) })
    return { problem, cookies }
  }
  if (refusal) return refuse(refusal)
  if (error === "OAuthAccountNotLinked" && person && email) {
    const isSent = await requestLinking(runtime, { person, email, browserToken, clientAddress })
    return refuse(isSent ? "linking" : "linking_limit")
  }
  const name = sessionCookieName(runtime.env)
  const session = setCookies.find((text) => text.startsWith(`${name}=`))
  if (error || !session || !person) return refuse("oidc_failed")
  recordSignIn(runtime, "sign_in.oidc_used", { email, clientAddress })
  await endSession(runtime, readCookie(callback.cookieHeader, name), clientAddress)
  return { problem: null, cookies: [...cookies, session] }
}
