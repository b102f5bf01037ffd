import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import type { Env } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { YEAR_SECONDS } from "@/lib/shared/time"
import { readCookie, setCookieText } from "./session-cookie"

const COOKIE = "svcd-outbox"
const PATH = "/outbox"

type AccessEnv = Pick<Env, "AUTH_SECRET" | "AUTH_SECRET_PREVIOUS" | "EMAIL_SERVER" | "isSecure">

/** Returns the secret of the outbox's address. It derives from `AUTH_SECRET`, so it outlives restarts. */
const secretOf = ({ AUTH_SECRET = "" }: Pick<Env, "AUTH_SECRET">): string =>
  createHmac("sha256", AUTH_SECRET).update("outbox").digest("base64url")

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()
const isSecret = (given: string, env: AccessEnv): boolean =>
  acceptedSecrets(env).some((secret) => timingSafeEqual(sha256(given), sha256(secretOf({ AUTH_SECRET: secret }))))

/** Returns the path under which a browser may open the outbox for the first time. The server prints it at start. */
export const outboxPath = (env: Pick<Env, "AUTH_SECRET">): string => `${PATH}?key=${secretOf(env)}`

/** Returns a cookie that opens the outbox, for the address that the server printed at start; null for any other. */
export function outboxCookie(url: string, env: AccessEnv): string | null {
  const [path, query] = url.split("?", 2)
  const key = path === PATH ? new URLSearchParams(query).get("key") : null
  if (env.EMAIL_SERVER || key === null || !isSecret(key, env)) return null
  return setCookieText(COOKIE, key, { maxAgeSeconds: YEAR_SECONDS }, env)
}

export function hasOutboxCookie(headers: IncomingHttpHeaders, env: AccessEnv): boolean {
  const given = env.EMAIL_SERVER ? undefined : readCookie(headers.cookie, COOKIE)
  return given !== undefined && isSecret(given, env)
}

/** Returns true when a page may show the outbox: there is no mail server, and the edge set `x-svc-outbox`. */
export function isOutboxOpen({ env }: Runtime, headers: { get(name: string): string | null }): boolean {
  return !env.EMAIL_SERVER && headers.get("x-svc-outbox") === "1"
}
