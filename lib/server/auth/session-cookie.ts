import { createHash, randomBytes } from "node:crypto"
import type { Env } from "@/lib/server/platform/env"

export const SESSION_SECONDS = 30 * 86_400

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** A new session token of 256 random bits. The browser keeps it; the database keeps its SHA-256. */
export const newSessionToken = (): string => randomBytes(32).toString("base64url")

/** Under which a session token is stored, or null when the text cannot be one. */
export function hashSessionToken(token: string | undefined): Buffer | null {
  return token && TOKEN.test(token) ? createHash("sha256").update(token).digest() : null
}

/** The session cookie's name; over https the browser itself refuses it from any other host or path. */
export const sessionCookieName = (env: Pick<Env, "isSecure">): string =>
  env.isSecure ? "__Host-svcd-session" : "svcd-session"

/** How the session cookie is set, for next-auth and for Next. */
export const sessionCookieOptions = (env: Pick<Env, "isSecure">) =>
  ({ httpOnly: true, sameSite: "lax", path: "/", secure: env.isSecure }) as const

/** The text of a `Set-Cookie` header for the whole host and the browser alone; a lifetime of zero takes the cookie away. */
export function setCookieText(
  name: string,
  value: string,
  { maxAgeSeconds }: { maxAgeSeconds: number },
  env: Pick<Env, "isSecure">,
): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${env.isSecure ? "; Secure" : ""}`
}

/** The value of a cookie in a `Cookie` header; the first when a name comes twice. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`
  const pair = header?.split(";").find((part) => part.trim().startsWith(prefix))
  return pair?.trim().slice(prefix.length)
}
