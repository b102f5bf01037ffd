import { createHash, randomBytes } from "node:crypto"
import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { sendLinkMail } from "@/lib/server/mail/link-mails"
import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import { LOCKS } from "@/lib/server/platform/db/locks"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { ChangeEmailInput, PendingEmail } from "@/lib/shared/accounts/closing"
import { ServiceError } from "@/lib/shared/errors"

// The prefix differs from that of other links, so that no kind of link works as another.
const emailTokenHash = ({ env }: Runtime, token: string, secret = env.AUTH_SECRET ?? ""): string =>
  createHash("sha256").update(`email-change:${token}${secret}`).digest("hex")

/** Returns the hashes that a token may be stored under, before and after a rotation of the secret. */
export const emailTokenHashes = (runtime: Runtime, token: string): string[] =>
  acceptedSecrets(runtime.env).map((secret) => emailTokenHash(runtime, token, secret))

/** Requests per day. `pair` is of one user for one address: what others request for an address limits nobody else. */
const MAX_PER_DAY = { user: 5, pair: 3, service: 2_000 } as const

const COUNTS = `
  SELECT count(*) FILTER (WHERE user_id = $1)::int AS user, count(*)::int AS service,
    count(*) FILTER (WHERE user_id = $1 AND new_email = $2)::int AS pair,
    coalesce(bool_or(user_id = $1 AND new_email = $2 AND ended_at IS NULL AND expires_at > now()), false) AS is_pending
  FROM email_change WHERE created_at > now() - interval '1 day'`

type Counts = Record<keyof typeof MAX_PER_DAY, number> & { is_pending: boolean }

/**
 * Returns false when the user's pending change to the address is kept, whose links were mailed. Throws `rate_limited` at the other
 * limits. Others can use up the limit of the service, so it never refuses a user's first request.
 */
async function isNewRequest(client: PoolClient, userId: string, email: string): Promise<boolean> {
  const { rows } = await client.query<Counts>(COUNTS, [userId, email])
  const counts = rows[0] as Counts
  if (counts.pair >= MAX_PER_DAY.pair && counts.is_pending) return false
  const isUsedUp = counts.service >= MAX_PER_DAY.service && counts.user > 0
  if (counts.user >= MAX_PER_DAY.user || counts.pair >= MAX_PER_DAY.pair || isUsedUp)
    throw new ServiceError("rate_limited", { message: "Too many changes were requested. Try again tomorrow." })
  return true
}

const endPending = (client: PoolClient, userId: string) =>
  client.query("UPDATE email_change SET ended_at = now() WHERE user_id = $1 AND ended_at IS NULL", [userId])

const INSERT = `
  INSERT INTO email_change (id, user_id, new_email, old_token_hash, new_token_hash, expires_at)
  VALUES ($1, $2, $3, $4, $5, now() + interval '1 hour') RETURNING expires_at`

/** Throws `signed_out` for a user who was deleted since the request began. The lock keeps the user until the transaction ends. */
export async function lockUser(client: PoolClient, userId: string): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM app_user WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE",
    [userId],
  )
  if (!rowCount) throw new ServiceError("signed_out")
}

const newToken = (): string => randomBytes(32).toString("hex")

/**
 * Mails a link to the actor's address and one to the new address. Once both were confirmed, within an hour and on any device, the
 * address changes. Replaces a pending change; after three requests for one address in a day it keeps that, without another mail. Does
 * the same for a new address with and without a user. Throws `invalid_request` for the actor's own address, `confirmation_required`,
 * `rate_limited`, `signed_out` for a deleted user, and `upstream_error` when a mail could not be sent.
 */
export async function requestEmailChange(
  runtime: Runtime,
  actor: UserActor,
  { email: newEmail }: ChangeEmailInput,
): Promise<{ requested: true }> {
  requireRight(actor, "account.read")
  requireConfirmed(actor, "requestEmailChange")
  const { userId, email: oldEmail } = actor
  if (newEmail === oldEmail)
    throw new ServiceError("invalid_request", { param: "email", message: "This is your address already." })
  const [tokenOfOld, tokenOfNew] = [newToken(), newToken()]
  const id = newId()
  const expiresAt = await inTransaction(runtime.pool, async (client) => {
    await lockUser(client, userId)
    // All users count towards one limit. Without the lock, two could pass it at once.
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.emailChanges])
    if (!(await isNewRequest(client, userId, newEmail))) return null
    await endPending(client, userId)
    const values = [id, userId, newEmail, emailTokenHash(runtime, tokenOfOld), emailTokenHash(runtime, tokenOfNew)]
    const { rows } = await client.query<Row<"EmailChange", "expires_at">>(INSERT, values)
    await recordAudit(client, actor, { action: "user.email_ask", subject: publicId("usr", userId) })
    return rows[0]?.expires_at ?? new Date()
  })
  if (!expiresAt) return { requested: true }
  const mail = { oldEmail, newEmail, expiresAt }
  try {
    await sendLinkMail(runtime, "email_change", { ...mail, to: oldEmail, token: tokenOfOld })
    await sendLinkMail(runtime, "email_change", { ...mail, to: newEmail, token: tokenOfNew })
  } catch (cause) {
    await prisma(runtime).emailChange.updateMany({ where: { id }, data: { endedAt: new Date() } })
    throw new ServiceError("upstream_error", {
      message: "The e-mails could not be sent. Try again in a minute.",
      cause,
    })
  }
  return { requested: true }
}

/** Cancels the actor's pending change: its links no longer work. Changes nothing without one. */
export async function cancelEmailChange({ pool }: Runtime, actor: UserActor): Promise<{ cancelled: true }> {
  requireRight(actor, "account.read")
  await inTransaction(pool, async (client) => {
    const { rowCount } = await endPending(client, actor.userId)
    if (rowCount)
      await recordAudit(client, actor, { action: "user.email_cancel", subject: publicId("usr", actor.userId) })
  })
  return { cancelled: true }
}

/** Returns the actor's pending change of address; null without one. */
export async function findEmailChange(runtime: Runtime, actor: UserActor): Promise<PendingEmail | null> {
  requireRight(actor, "account.read")
  const pending = await prisma(runtime).emailChange.findFirst({
    where: { userId: actor.userId, endedAt: null, expiresAt: { gt: new Date() } },
  })
  return (
    pending && {
      email: pending.newEmail,
      isOldConfirmed: pending.oldConfirmedAt !== null,
      isNewConfirmed: pending.newConfirmedAt !== null,
      expiresAt: pending.expiresAt.toISOString(),
    }
  )
}
