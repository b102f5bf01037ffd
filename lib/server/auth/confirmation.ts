import { createHash, randomBytes } from "node:crypto"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { sendLinkMail } from "@/lib/server/mail/link-mails"
import { type UserActor, VISITOR } from "@/lib/server/platform/actor"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { CONFIRMATIONS, type RequestedConfirmation, type Scope } from "@/lib/shared/auth/confirmations"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"
import type { RequestConfirmationInput } from "@/lib/shared/auth/schema"
import { ServiceError } from "@/lib/shared/errors"
import { returnPath } from "./return-path"
import { SESSION_ACCOUNT } from "./sessions"
import { recordSignIn } from "./sign-in-events"
import { storeSignInToken, withdrawSignInToken } from "./sign-in-tokens"

const SEND_AGAIN_SECONDS = 60

// The prefix differs from that of other links, so that no kind of link works as another.
const hashOf = ({ env }: Runtime, token: string, secret = env.AUTH_SECRET ?? ""): string =>
  createHash("sha256").update(`confirmation:${token}${secret}`).digest("hex")

/**
 * Mails the actor a link that confirms the scope of `verb` for 24 hours, in the current session. At a limit it sends nothing and
 * returns `sent: false`. The mail counts towards the limit of the whole service, but not towards the limits of the sign-in links of its address. Throws
 * `invalid_request` for a page that links may not lead to, and `upstream_error` when the mail could not be sent.
 */
export async function requestConfirmation(
  runtime: Runtime,
  actor: UserActor,
  { verb, returnTo }: RequestConfirmationInput,
): Promise<RequestedConfirmation> {
  if (returnPath(returnTo) !== returnTo) throw new ServiceError("invalid_request", { param: "returnTo" })
  const { email, sessionId, clientAddress } = actor
  const token = randomBytes(32).toString("hex")
  const tokenHash = hashOf(runtime, token)
  const expiresAt = new Date(Date.now() + LINK_MINUTES * 60_000)
  // A session proves more than the cookie of a known browser, so the limits per client do not apply.
  const limit = await storeSignInToken(runtime, {
    tokenHash,
    email,
    clientAddress: null,
    isKnownBrowser: true,
    expiresAt,
    confirms: { sessionId, scope: CONFIRMATIONS[verb].scope },
  })
  if (limit) {
    recordSignIn(runtime, "sign_in.link_limited", { email, clientAddress, reason: "confirmation" })
    return { sent: false, retryAfterSeconds: limit.retryAfterSeconds }
  }
  try {
    await sendLinkMail(runtime, "confirmation", { to: email, token, expiresAt, returnTo, clientAddress, verb })
  } catch (cause) {
    await withdrawSignInToken(runtime, tokenHash)
    recordSignIn(runtime, "sign_in.send_failed", { email, clientAddress, reason: "confirmation", cause })
    throw new ServiceError("upstream_error", { message: "The e-mail could not be sent. Try again in a minute.", cause })
  }
  recordSignIn(runtime, "sign_in.link_sent", { email, clientAddress, reason: "confirmation" })
  return { sent: true, retryAfterSeconds: SEND_AGAIN_SECONDS }
}

const CONSUME = `
  UPDATE sign_in_token SET expires_at = '-infinity'
  WHERE token_hash = ANY ($1) AND email = $2 AND expires_at > now() AND scope IS NOT NULL
  RETURNING session_id, scope`

const CONFIRM = (scope: Scope) => `
  UPDATE session SET ${scope}_confirmed_at = now() FROM app_user u
  WHERE session.id = $1 AND u.id = session.user_id AND u.email = $2
  RETURNING user_id, ${SESSION_ACCOUNT} AS account_id`

/**
 * Consumes a confirmation link, in any browser, and confirms its scope in the session that requested it. Returns false when the link is
 * unknown, used, replaced, expired or another address's, or when the session has ended.
 */
export async function confirmSession(
  runtime: Runtime,
  link: {
    token: string
    email: string
    clientAddress: string | null
  },
): Promise<boolean> {
  const { clientAddress } = link
  const email = parseEmailAddress(link.email)
  const confirmed = await inTransaction(runtime.pool, async (client) => {
    const hashes = acceptedSecrets(runtime.env).map((secret) => hashOf(runtime, link.token, secret))
    const used = await client.query<Row<"SignInToken", "session_id"> & { scope: Scope }>(CONSUME, [hashes, email])
    const [{ session_id: sessionId, scope } = { session_id: null }] = used.rows
    if (!sessionId || !scope) return false
    const { rows } = await client.query<Row<"Session", "user_id" | "account_id">>(CONFIRM(scope), [sessionId, email])
    const [session] = rows
    if (!session) return false
    const { user_id: userId, account_id: accountId } = session
    const actor = { ...VISITOR, userId, accountId, clientAddress }
    await recordAudit(client, actor, {
      action: "session.confirm",
      subject: publicId("ses", sessionId),
      detail: scope,
    })
    return true
  })
  const event = confirmed ? "sign_in.link_used" : "sign_in.link_refused"
  recordSignIn(runtime, event, { email: email ?? undefined, clientAddress, reason: "confirmation" })
  return confirmed
}
