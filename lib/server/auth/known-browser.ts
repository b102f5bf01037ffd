import { userAgentFromString } from "next/server"
import type { PoolClient } from "pg"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Runtime } from "@/lib/server/platform/runtime"
import { YEAR_SECONDS } from "@/lib/shared/time"
import { newSessionToken, readCookie, setCookieText } from "./session-cookie"

const TOKEN = /^[A-Za-z0-9_-]{43}$/

const cookieName = ({ env }: Runtime): string => (env.isSecure ? "__Host-svcd-known" : "svcd-known")

/** SQL. The hash under which user $1's browser with the token $2 is stored. */
const HASH = "sha256(convert_to($1::uuid || ':' || $2::text, 'UTF8'))"

/** Returns the random token that this browser shows at each sign-in, or a new one. It names no user. */
export function browserToken(runtime: Runtime, cookieHeader: string | undefined): string {
  const shown = readCookie(cookieHeader, cookieName(runtime)) ?? ""
  return TOKEN.test(shown) ? shown : newSessionToken()
}

/** Returns the `Set-Cookie` text with which the browser remembers its token for a year. */
export const markKnownBrowser = (runtime: Runtime, token: string): string =>
  setCookieText(cookieName(runtime), token, { maxAgeSeconds: YEAR_SECONDS }, runtime.env)

/** Returns whether this address signed in with this browser before. It relaxes only the limits on sign-in mails. */
export async function isKnownBrowser(
  runtime: Runtime,
  email: string,
  cookieHeader: string | undefined,
): Promise<boolean> {
  const shown = readCookie(cookieHeader, cookieName(runtime)) ?? ""
  const { rowCount } = await runtime.pool.query(
    `SELECT FROM app_user u JOIN known_browser b ON b.user_id = u.id
       AND b.token_sha256 = sha256(convert_to(u.id || ':' || $2::text, 'UTF8')) WHERE u.email = $1`,
    [email, shown],
  )
  return rowCount === 1
}

const REMEMBER = `
  WITH known AS (
    INSERT INTO known_browser (user_id, token_sha256) VALUES ($1, ${HASH})
    ON CONFLICT (user_id, token_sha256) DO UPDATE SET seen_at = now() RETURNING xmax = 0 AS is_new
  )
  SELECT is_new AND EXISTS (SELECT FROM known_browser WHERE user_id = $1) AS is_unknown FROM known`

interface SignIn {
  userId: string
  accountId: string
  sessionId: string
  token: string
  /** A name such as "Chrome on Linux", or null. */
  browser: string | null
}

/**
 * Remembers the browser of a sign-in, in its transaction. Queues a mail to the user when the browser is new, except for the user's
 * first one.
 */
export async function rememberBrowser(client: PoolClient, signIn: SignIn): Promise<void> {
  const { userId, accountId, sessionId, token, browser } = signIn
  const { rows } = await client.query<{ is_unknown: boolean }>(REMEMBER, [userId, token])
  if (!rows[0]?.is_unknown) return
  const facts = { browser, at: new Date().toISOString() }
  await queueMail(client, { accountId, kind: "browser_new", source: `session:${sessionId}`, facts, alsoTo: userId })
}

const plain = (text: string | undefined): string => (text ?? "").replace(/[^\w .+-]/g, "").slice(0, 40)

/** Returns a name such as "Chrome on Linux" for the list of sessions; null when the `User-Agent` names no browser or is too long. */
export function browserName(userAgent: string | null): string | null {
  if (!userAgent || userAgent.length > 1_000) return null
  const { browser, os } = userAgentFromString(userAgent)
  const name = plain(browser.name).replace(/^Mobile /, "")
  if (!name) return null
  const system = plain(os.name).replace(/^Mac OS$/, "macOS")
  return system ? `${name} on ${system}` : name
}
