import { createHash, randomBytes } from "node:crypto"
import type { Env } from "@/lib/server/platform/env"

/** How long a session lasts at most. Without use it ends earlier, by `IDLE_LIMIT`. */
export const SESSION_SECONDS = 30 * 86_400

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Creates a session token of 256 random bits. The browser stores it; the database stores its SHA-256. */
export const newSessionToken = (): string => randomBytes(32).toString("base64url")

/** Returns the hash under which a session token is stored, or null for a malformed token. */
export function hashSessionToken(token: string | undefined): Buffer | null {
  return token && TOKEN.test(token) ? createHash("sha256").update(token).digest() : null
}

/** Returns the session cookie's name. Over HTTPS its prefix makes browsers refuse one that another host of the domain sets. */
export const sessionCookieName = (env: Pick<Env, "isSecure">): string =>
  env.isSecure ? "__Host-svcd-session" : "svcd-session"

/** Returns the session cookie's attributes, for next-auth and for Next. */
export const sessionCookieOptions = (env: Pick<Env, "isSecure">) =>
  ({ httpOnly: true, sameSite: "lax", path: "/", secure: env.isSecure }) as const

/** Returns a `Set-Cookie` text for the whole host, hidden from scripts. A lifetime of zero deletes the cookie. */
export function setCookieText(
  name: string,
  value: string,
  { maxAgeSeconds }: { maxAgeSeconds: number },
  env: Pick<Env, "isSecure">,
): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${env.isSecure ? "; Secure" : ""}`
}

/** Returns the value of a cookie in a `Cookie` header, the first one when a name appears twice. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`
  const pair = header?.split(";").find((part) => part.trim().startsWith(prefix))
  return pair?.trim().slice(prefix.length)
}
