import { createHmac, timingSafeEqual } from "node:crypto"
import { userAgentFromString } from "next/server"
import { runtime } from "@/lib/server/platform/runtime"
import { acceptedSecrets } from "./secret"
import { readCookie, setCookieText } from "./session-cookie"

const YEAR_SECONDS = 31_536_000

const cookieName = (): string => (runtime().env.isSecure ? "__Host-svcd-known" : "svcd-known")

const markOf = (email: string, secret = runtime().env.AUTH_SECRET ?? ""): Buffer =>
  createHmac("sha256", secret).update(`known-browser:${email}`).digest()

/** Returns a `Set-Cookie` text. The cookie later proves that this address signed in with this browser; it has no address in it. */
export const markKnownBrowser = (email: string): string =>
  setCookieText(cookieName(), markOf(email).toString("base64url"), { maxAgeSeconds: YEAR_SECONDS }, runtime().env)

/** Returns whether this address signed in with this browser before. It relaxes only the limits on sign-in mails. */
export function isKnownBrowser(email: string, cookieHeader: string | undefined): boolean {
  const shown = Buffer.from(readCookie(cookieHeader, cookieName()) ?? "", "base64url")
  const marks = acceptedSecrets(runtime().env).map((secret) => markOf(email, secret))
  return marks.some((mark) => shown.length === mark.length && timingSafeEqual(shown, mark))
}

const plain = (text: string | undefined): string => (text ?? "").replace(/[^\w .+-]/g, "").slice(0, 40)

/** Returns a name such as "Chrome on Linux" for the list of sessions; null when the `User-Agent` names no browser. */
export function browserName(userAgent: string | null): string | null {
  if (!userAgent || userAgent.length > 1_000) return null
  const { browser, os } = userAgentFromString(userAgent)
  const name = plain(browser.name).replace(/^Mobile /, "")
  if (!name) return null
  const system = plain(os.name).replace(/^Mac OS$/, "macOS")
  return system ? `${name} on ${system}` : name
}
