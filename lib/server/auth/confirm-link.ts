import { runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
import { browserName } from "./known-browser"
import { runNextAuth } from "./next-auth"
import { readCookie, sessionCookieName } from "./session-cookie"
import { endSession } from "./sessions"

interface LinkConfirmation {
  token: string
  email: string
  cookieHeader: string | undefined
  clientAddress: string | null
  /** The `User-Agent` header. */
  userAgent: string | null
}

/**
 * Consumes a sign-in link and opens a session. Returns its `Set-Cookie` text, or null when the link is unknown, used,
 * expired or another address's. The first sign-in creates the account. The browser's previous session ends.
 */
export async function confirmLink(link: LinkConfirmation): Promise<string | null> {
  const email = parseEmailAddress(link.email)
  if (!email || !/^[0-9a-f]{64}$/.test(link.token)) return null
  const { error, setCookies } = await runNextAuth({
    action: "callback",
    query: { token: link.token, email },
    clientAddress: link.clientAddress,
    browser: browserName(link.userAgent),
  })
  if (error === "Verification") return null
  const name = sessionCookieName(runtime().env)
  const cookie = setCookies.find((text) => text.startsWith(`${name}=`))
  if (error || !cookie) throw new Error(`next-auth refused to open a session: ${error}`)
  await endSession(readCookie(link.cookieHeader, name), link.clientAddress)
  return cookie
}
