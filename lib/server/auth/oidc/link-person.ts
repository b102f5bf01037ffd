import { createHash, randomBytes } from "node:crypto"
import type { ClientBase, PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { sendLinkMail } from "@/lib/server/mail/link-mails"
import { VISITOR } from "@/lib/server/platform/actor"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"
import { recordSignIn } from "../sign-in-events"
import { linkPerson } from "./identities"
import type { Person } from "./provider"

/** How many of these mails a user gets in a day. After that, the last ones still work. */
const MAX_PER_DAY = 5

// The prefix differs from that of other links, so that no kind of link works as another.
const hashOf = (token: string, secret: string): string =>
  createHash("sha256").update(`identity:${token}${secret}`).digest("hex")

const browserHash = (token: string): Buffer => createHash("sha256").update(token).digest()

interface LinkRequest {
  person: Person
  /** The address that the provider verified. */
  email: string
  /** The token by which this browser is known. */
  browserToken: string
  clientAddress: string | null
}

const INSERT = `
  INSERT INTO identity_link (token_hash, user_id, issuer, subject, browser_sha256, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)`

async function store(runtime: Runtime, { person, email, browserToken }: LinkRequest, token: string, expiresAt: Date) {
  const { AUTH_SECRET = "" } = runtime.env
  return inTransaction(runtime.pool, async (client) => {
    const user = await client.query<Row<"User", "id">>(
      "SELECT id FROM app_user WHERE email = $1 AND erased_at IS NULL FOR UPDATE",
      [email],
    )
    const userId = user.rows[0]?.id
    if (!userId) return false
    const sent = await client.query(
      "SELECT FROM identity_link WHERE user_id = $1 AND created_at > now() - interval '1 day'",
      [userId],
    )
    if ((sent.rowCount ?? 0) >= MAX_PER_DAY) return false
    const { issuer, subject } = person
    const values = [hashOf(token, AUTH_SECRET), userId, issuer, subject, browserHash(browserToken), expiresAt]
    await client.query(INSERT, values)
    return true
  })
}

/**
 * Mails the user of an address a link that lets a person of the OpenID provider sign in as this user. Returns false at the limit of a
 * day, when it sends nothing. Throws when the mail could not be sent, which does not count towards the limit.
 */
export async function requestLinking(runtime: Runtime, request: LinkRequest): Promise<boolean> {
  const { email, clientAddress } = request
  const token = randomBytes(32).toString("hex")
  const expiresAt = new Date(Date.now() + LINK_MINUTES * 60_000)
  if (!(await store(runtime, request, token, expiresAt))) {
    recordSignIn(runtime, "sign_in.link_limited", { email, clientAddress, reason: "identity" })
    return false
  }
  const { AUTH_SECRET = "", OIDC_NAME: provider } = runtime.env
  try {
    await sendLinkMail(runtime, "identity", { to: email, token, expiresAt, provider, clientAddress })
  } catch (cause) {
    await runtime.pool.query("DELETE FROM identity_link WHERE token_hash = $1", [hashOf(token, AUTH_SECRET)])
    throw cause
  }
  recordSignIn(runtime, "sign_in.link_sent", { email, clientAddress, reason: "identity" })
  return true
}

// The user's lock comes first, as when the user is deleted or gets another address. Otherwise the two could deadlock.
const LOCK_USER = `
  SELECT FROM app_user WHERE id IN (SELECT user_id FROM identity_link WHERE token_hash = ANY ($1)) FOR UPDATE`

// The browser that signed in with the provider must confirm. Otherwise one careless click would let another person in.
const CONSUME = `
  UPDATE identity_link l SET used_at = now() FROM app_user u
  WHERE l.token_hash = ANY ($1) AND l.browser_sha256 = $2 AND l.used_at IS NULL AND l.expires_at > now()
    AND u.id = l.user_id AND u.erased_at IS NULL
  RETURNING l.user_id, l.issuer, l.subject`

async function audit(client: ClientBase, userId: string, clientAddress: string | null): Promise<void> {
  const { rows } = await client.query<Row<"Member", "account_id">>("SELECT account_id FROM member WHERE user_id = $1", [
    userId,
  ])
  for (const { account_id: accountId } of rows)
    await recordAudit(
      client,
      { ...VISITOR, userId, accountId, clientAddress },
      { action: "user.link", subject: publicId("usr", userId) },
    )
}

async function confirmIn(
  runtime: Runtime,
  client: PoolClient,
  token: string,
  browserToken: string,
  clientAddress: string | null,
): Promise<boolean> {
  const hashes = acceptedSecrets(runtime.env).map((secret) => hashOf(token, secret))
  await client.query(LOCK_USER, [hashes])
  const { rows } = await client.query<Row<"IdentityLink", "user_id" | "issuer" | "subject">>(CONSUME, [
    hashes,
    browserHash(browserToken),
  ])
  const [link] = rows
  if (!link || !(await linkPerson(client, link.user_id, link))) return false
  await audit(client, link.user_id, clientAddress)
  return true
}

/**
 * Lets the person of a mailed link sign in as the user who got it, when opened in the browser in which that person signed in. Returns
 * false when the link is unknown, used or expired, for another browser, and for a person who is another user's.
 */
export async function confirmLinking(
  runtime: Runtime,
  token: string,
  { browserToken, clientAddress }: { browserToken: string; clientAddress: string | null },
): Promise<boolean> {
  const linked = await inTransaction(runtime.pool, (client) =>
    confirmIn(runtime, client, token, browserToken, clientAddress),
  )
  recordSignIn(runtime, linked ? "sign_in.link_used" : "sign_in.link_refused", { clientAddress, reason: "identity" })
  return linked
}
