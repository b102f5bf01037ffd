import { findAdmission } from "@/lib/server/accounts/sign-up-policy"
import { sendLinkMail } from "@/lib/server/mail/link-mails"
import { addressBlock, isLoopbackAddress } from "@/lib/server/platform/client-address"
import type { Runtime } from "@/lib/server/platform/runtime"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"
import { isKnownBrowser } from "./known-browser"
import { runNextAuth } from "./next-auth"
import { returnPath } from "./return-path"
import { recordSignIn } from "./sign-in-events"
import type { LimitedSend } from "./sign-in-limits"
import { withdrawSignInToken } from "./sign-in-tokens"

interface LinkRequest {
  /** A parsed address. */
  email: string
  returnTo: string
  /** Null is exempt from the limits per client. A loopback address is also exempt unless the service is public. */
  clientAddress: string | null
  cookieHeader: string | undefined
}

/**
 * Mails a sign-in link, with the same work for addresses with and without an account. An address that `SIGN_UP` does not admit gets a
 * mail without a link, and counts towards the same limits. Returns null when the mail was sent, and otherwise how long to wait. The mail
 * is sent after the link's hash is stored. Throws when storing or sending fails.
 */
export async function requestLink(runtime: Runtime, request: LinkRequest): Promise<LimitedSend | null> {
  const { email, returnTo, clientAddress } = request
  const { isUser, isAdmitted } = await findAdmission(runtime, runtime.pool, email)
  const isRefused = !isUser && !isAdmitted
  let token: string | undefined
  let tokenHash: string | undefined
  let limit: LimitedSend | undefined
  // On a public service, a loopback peer is a proxy that hides its clients.
  const isExempt = clientAddress === null || (runtime.env.isLoopback && isLoopbackAddress(clientAddress))
  const limitedAddress = isExempt ? null : addressBlock(clientAddress)
  const { error } = await runNextAuth({
    action: "signin",
    body: { email },
    clientAddress: limitedAddress,
    isKnownBrowser: await isKnownBrowser(runtime, email, request.cookieHeader),
    onToken: (created) => {
      token = created
    },
    onStored: (hash) => {
      tokenHash = hash
    },
    onLimited: (refused) => {
      limit = refused
    },
  })
  if (limit) {
    recordSignIn(runtime, "sign_in.link_limited", { email, clientAddress, reason: limit.recent ? "recent" : "limit" })
    return limit
  }
  if (error || !token || !tokenHash) throw new Error(`next-auth refused to send: ${error}`)
  const expiresAt = new Date(Date.now() + LINK_MINUTES * 60_000)
  try {
    const facts = { to: email, token, expiresAt, returnTo: returnPath(returnTo), clientAddress }
    if (isRefused)
      await sendLinkMail(runtime, "sign_up_refused", { to: email, clientAddress, policy: runtime.env.SIGN_UP })
    else await sendLinkMail(runtime, "sign_in", facts)
  } catch (cause) {
    await withdrawSignInToken(runtime, tokenHash)
    throw cause
  }
  recordSignIn(runtime, "sign_in.link_sent", { email, clientAddress, ...(isRefused ? { reason: "sign_up" } : {}) })
  return null
}
