import { createHmac, timingSafeEqual } from "node:crypto"
import { runtime } from "@/lib/server/platform/runtime"
import { readCookie, setCookieText } from "./session-cookie"

const YEAR_SECONDS = 31_536_000

const cookieName = (): string => (runtime().env.isSecure ? "__Host-svcd-known" : "svcd-known")

const markOf = (email: string): Buffer =>
  createHmac("sha256", runtime().env.AUTH_SECRET ?? "")
    .update(`known-browser:${email}`)
    .digest()

/** The `Set-Cookie` text by which a browser can later show that this address signed in there. It names no one. */
export const markKnownBrowser = (email: string): string =>
  setCookieText(cookieName(), markOf(email).toString("base64url"), { maxAgeSeconds: YEAR_SECONDS }, runtime().env)

/** True when this address signed in by this browser before. It opens nothing: only the limits on mails are other. */
export function isKnownBrowser(email: string, cookieHeader: string | undefined): boolean {
  const shown = Buffer.from(readCookie(cookieHeader, cookieName()) ?? "", "base64url")
  const mark = markOf(email)
  return shown.length === mark.length && timingSafeEqual(shown, mark)
}
