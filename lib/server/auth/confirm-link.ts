import type { Runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { browserName } from "./known-browser"
import { type AuthCall, type AuthOutcome, runNextAuth } from "./next-auth"
import { readCookie, sessionCookieName } from "./session-cookie"
import { endSession } from "./sessions"
import { recordSignIn } from "./sign-in-events"

interface LinkConfirmation {
  token: string
  email: string
  cookieHeader: string | undefined
  clientAddress: string | null
  /** The `User-Agent` header. */
  userAgent: string | null
  browserToken: string
}

/**
 * `invalid_link`: the link is unknown, used, replaced, expired or another address's, or its user was deleted meanwhile. `suspended`:
 * every account of the user is suspended or closed. `sign_up`: `SIGN_UP` no longer admits the address.
 */
type Refusal = "invalid_link" | "suspended" | "sign_up"
type Confirmation = { outcome: "signed_in"; cookie: string } | { outcome: Refusal }

/** Runs the callback, and repeats it with the previous secret for a link that was not hashed with the current one. */
async function callBack({ env }: Runtime, call: Omit<AuthCall, "action">): Promise<AuthOutcome> {
  const outcome = await runNextAuth({ action: "callback", ...call })
  const { AUTH_SECRET_PREVIOUS: secret } = env
  if (outcome.error !== "Verification" || !secret) return outcome
  return runNextAuth({ action: "callback", ...call, secret })
}

/**
 * Consumes a sign-in link, opens a session and ends the browser's previous one. The first sign-in creates the account.
 * Returns the session's `Set-Cookie` text, or why there is none.
 */
export async function confirmLink(runtime: Runtime, link: LinkConfirmation): Promise<Confirmation> {
  const { token, clientAddress } = link
  const email = parseEmailAddress(link.email)
  const refuse = (outcome: Refusal) => {
    recordSignIn(runtime, "sign_in.link_refused", { email: email ?? undefined, clientAddress, reason: outcome })
    return { outcome }
  }
  if (!email || !/^[0-9a-f]{64}$/.test(token)) return refuse("invalid_link")
  let isBlocked = false
  let isDeleted = false
  let isRefused = false
  const { error, setCookies } = await callBack(runtime, {
    query: { token, email },
    clientAddress,
    browser: browserName(link.userAgent),
    browserToken: link.browserToken,
    onBlocked: () => {
      isBlocked = true
    },
    onEnded: () => {
      isDeleted = true
    },
    onRefused: () => {
      isRefused = true
    },
  })
  if (isRefused) return refuse("sign_up")
  if (error === "Verification" || isDeleted) return refuse("invalid_link")
  if (isBlocked) return refuse("suspended")
  const name = sessionCookieName(runtime.env)
  const cookie = setCookies.find((text) => text.startsWith(`${name}=`))
  if (error || !cookie) throw new Error(`next-auth refused to open a session: ${error}`)
  recordSignIn(runtime, "sign_in.link_used", { email, clientAddress })
  await endSession(runtime, readCookie(link.cookieHeader, name), clientAddress)
  return { outcome: "signed_in", cookie }
}
