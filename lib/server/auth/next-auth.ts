import { createHash, randomBytes } from "node:crypto"
import type { NextApiRequest, NextApiResponse } from "next"
import NextAuth, { type NextAuthOptions } from "next-auth"
import type { EmailConfig } from "next-auth/providers/email"
import { ensureAuthSecret } from "@/lib/server/platform/auth-secret"
import { setForLibrary } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"
import { type AdapterContext, createAdapter } from "./adapter"
import { oidcCookies, oidcProvider } from "./oidc/provider"
import { newSessionToken, SESSION_SECONDS, sessionCookieName, sessionCookieOptions } from "./session-cookie"

const CSRF_COOKIE = "svcd-csrf"

export interface AuthCall extends AdapterContext {
  action: "signin" | "callback"
  /** By default `email`, the mailed link. */
  provider?: "email" | "oidc"
  /** The cookies of an OpenID sign-in that is under way, by name. */
  cookies?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, string>
  /** Verifies a link that was hashed with another secret than the current one. */
  secret?: string
  /** Receives the link's token. next-auth calls it while it is still storing the hash, so the mail must be sent later. */
  onToken?: (token: string) => void
}

export interface AuthOutcome {
  /** next-auth's error code, or null. */
  error: string | null
  /** Where next-auth redirects. For `signin` with `oidc`, the provider's address. */
  location: string
  setCookies: string[]
  /** Why an OpenID sign-in failed, without values; null when it did not. */
  reason: string | null
}

// next-auth's own e-mail provider imports an old nodemailer. Its core needs only these fields.
const emailProvider = (onToken: AuthCall["onToken"]): EmailConfig => ({
  id: "email",
  type: "email",
  name: "Email",
  server: "",
  from: "",
  maxAge: LINK_MINUTES * 60,
  options: {},
  normalizeIdentifier(text) {
    const email = parseEmailAddress(text)
    if (!email) throw new Error("not an e-mail address")
    return email
  },
  sendVerificationRequest: async ({ token }) => onToken?.(token),
})

/** Returns an error's message without the values that it quotes, which follow "expected", "got" or a bracket. */
export function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ""
  const end = message.search(/[,:(]? ?(?:\b(?:expected|got)\b|\()/)
  return message.slice(0, end === -1 ? 200 : Math.min(end, 200)) || "unknown"
}

async function optionsOf(call: AuthCall, onReason: (reason: string) => void): Promise<NextAuthOptions> {
  const { env, log } = runtime()
  return {
    adapter: createAdapter(runtime(), call),
    secret: call.secret ?? (await ensureAuthSecret(env)),
    useSecureCookies: env.isSecure,
    session: { strategy: "database", maxAge: SESSION_SECONDS, generateSessionToken: newSessionToken },
    providers: [
      call.provider === "oidc" ? oidcProvider(env, call.onPerson ?? (() => {})) : emailProvider(call.onToken),
    ],
    cookies: {
      sessionToken: { name: sessionCookieName(env), options: sessionCookieOptions(env) },
      csrfToken: { name: CSRF_COOKIE, options: sessionCookieOptions(env) },
      ...oidcCookies(env),
    },
    callbacks: { redirect: ({ baseUrl }) => baseUrl },
    logger: {
      error: (code, metadata) => {
        const cause = metadata instanceof Error ? metadata : metadata.error
        // Anyone can cause the errors of an OpenID sign-in, and they repeat what the browser and the provider sent.
        if (call.provider === "oidc") onReason(reasonOf(cause))
        else log.error("Sign-in failed", { event: "sign_in.failed", code, cause })
      },
      warn: () => {},
      debug: () => {},
    },
  }
}

function plainResponse() {
  const headers = new Headers()
  let status = 200
  const response = {
    status(code: number) {
      status = code
      return response
    },
    getHeader: (name: string) => (name.toLowerCase() === "set-cookie" ? headers.getSetCookie() : headers.get(name)),
    setHeader(name: string, value: string | string[]) {
      headers.delete(name)
      for (const one of [value].flat()) headers.append(name, one)
      return response
    },
    json: () => response,
    send: () => response,
    end: () => response,
  }
  return { response, read: () => ({ status, headers }) }
}

/**
 * Runs one next-auth action through its (req, res) handler. The request has only validated fields: no headers, of the browser's cookies
 * only those of an OpenID sign-in, and a CSRF token created here.
 */
export async function runNextAuth(call: AuthCall): Promise<AuthOutcome> {
  let reason: string | null = null
  const options = await optionsOf(call, (found) => {
    reason ??= found
  })
  const { provider = "email" } = call
  // The library builds the callback's address from this variable only.
  setForLibrary("NEXTAUTH_URL", `${runtime().env.CONSOLE_URL}/api/auth`)
  const csrf = randomBytes(32).toString("hex")
  const csrfHash = createHash("sha256").update(`${csrf}${options.secret}`).digest("hex")
  const request = {
    // A provider's callback has its fields in the query.
    method: provider === "oidc" && call.action === "callback" ? "GET" : "POST",
    headers: {},
    cookies: { ...call.cookies, [CSRF_COOKIE]: `${csrf}|${csrfHash}` },
    query: { ...call.query, nextauth: [call.action, provider] },
    body: { ...call.body, csrfToken: csrf },
  }
  const { response, read } = plainResponse()
  await NextAuth(request as unknown as NextApiRequest, response as unknown as NextApiResponse, options)
  const { status, headers } = read()
  const location = headers.get("location")
  if (status !== 302 || !location) throw new Error(`next-auth returned status ${status}`)
  const target = new URL(location, "http://localhost")
  const error = target.searchParams.get("error") ?? (target.searchParams.has("csrf") ? "csrf" : null)
  return { error, location, setCookies: headers.getSetCookie(), reason }
}
