import type { PoolClient } from "pg"
import Stripe from "stripe"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import type { CardEnd } from "@/lib/server/mail/auto-topup-notices"
import { queueMail } from "@/lib/server/mail/queue-mail"
import {
  type AccountActor,
  requireConfirmed,
  requireRight,
  systemFor,
  type UserActor,
  VISITOR,
} from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { MemberCard } from "@/lib/shared/accounts/members"
import type { SavedCard } from "@/lib/shared/billing/saved-card"
import { resumeWithCard } from "./pause-auto-topup"
import type { Payments } from "./payments"

/** A card that its owner entered at Stripe. */
export interface NewCard extends SavedCard {
  paymentMethodId: string
  /** When it was entered, in seconds since 1970. */
  enteredAt: number
}

/** Returns what is stored of a card; null for another kind of payment method. */
export function cardOf(method: Stripe.PaymentMethod | string | null | undefined): NewCard | null {
  if (typeof method !== "object" || !method?.card) return null
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { paymentMethodId: method.id, brand, last4, expMonth, expYear, enteredAt: method.created }
}

const REPLACE = `
  UPDATE saved_card SET removed_at = now()
  WHERE account_id = $1 AND removed_at IS NULL AND payment_method_id <> $2 AND entered_at <= to_timestamp($3)
    AND NOT EXISTS (SELECT FROM saved_card WHERE payment_method_id = $2)
    AND EXISTS (SELECT FROM member WHERE account_id = $1 AND user_id = $4 AND role = 'owner')`
const INSERT = `
  INSERT INTO saved_card (payment_method_id, account_id, brand, last4, exp_month, exp_year, entered_at, user_id, removed_at)
  SELECT $2, $1, $4, $5, $6, $7, to_timestamp($3), m.user_id,
    CASE WHEN m.user_id IS NULL OR a.status = 'closed'
      OR EXISTS (SELECT FROM saved_card WHERE account_id = $1 AND removed_at IS NULL) THEN now() END
  FROM account a LEFT JOIN member m ON m.account_id = a.id AND m.role = 'owner' AND m.user_id = $8 WHERE a.id = $1
  ON CONFLICT (payment_method_id) DO NOTHING`

/**
 * Saves a card in place of the account's previous one, and resumes an automatic top-up that a failed card had paused. A card
 * that was saved before changes nothing, even if it was removed since, so that repeated events are harmless. A card of a closed account,
 * or that was entered before the current one or by a user who is not an owner, is stored as removed, for Stripe to forget.
 */
export async function saveCard(
  client: PoolClient,
  { accountId, userId }: { accountId: string; userId: string | null },
  card: NewCard,
): Promise<void> {
  const { paymentMethodId, enteredAt, brand, last4, expMonth, expYear } = card
  await client.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId])
  await client.query(REPLACE, [accountId, paymentMethodId, enteredAt, userId])
  const values = [accountId, paymentMethodId, enteredAt, brand, last4, expMonth, expYear, userId]
  const { rowCount } = await client.query(INSERT, values)
  if (rowCount === 0) return
  const by = userId === null ? systemFor(accountId) : { ...VISITOR, accountId, userId }
  await recordAudit(client, by, { action: "card.save" })
  await resumeWithCard(client, accountId, paymentMethodId)
}

export const TURN_OFF =
  "UPDATE auto_topup SET state = 'off', pause_reason = NULL WHERE account_id = $1 AND state <> 'off'"

/**
 * Removes the saved card, which turns automatic top-up off. Stripe forgets the card within seconds. Removing none changes
 * nothing. Needs `billing.automate` and a recent sign-in.
 */
export async function removeCard(runtime: Runtime, actor: UserActor): Promise<void> {
  requireRight(actor, "billing.automate")
  requireConfirmed(actor, "removeCard")
  await inTransaction(runtime.pool, async (client) => {
    await lockAccount(client, actor.accountId)
    const { rowCount } = await client.query(
      "UPDATE saved_card SET removed_at = now() WHERE account_id = $1 AND removed_at IS NULL",
      [actor.accountId],
    )
    if (rowCount === 0) return
    await client.query(TURN_OFF, [actor.accountId])
    await recordAudit(client, actor, { action: "card.remove" })
  })
  await detachRemovedCards(runtime).catch(() => {
    // The job tries again.
  })
}

const END = `
  UPDATE saved_card SET removed_at = now()
  WHERE account_id = $1 AND removed_at IS NULL AND ($2::uuid IS NULL OR user_id = $2)`

/**
 * Removes the saved card and turns automatic top-up off, in the transaction of `client`. `userId` names a user who is no owner
 * any more: only a card that this user saved is removed. Null: the account closes. Returns `none` without such a card, `saved` if automatic
 * top-up was off, else `charged`: then `reportCardEnd` belongs in the same transaction. A job has Stripe forget the card.
 */
export async function endAutoTopup(
  client: PoolClient,
  actor: AccountActor,
  userId: string | null,
): Promise<MemberCard> {
  const { rowCount } = await client.query(END, [actor.accountId, userId])
  return rowCount === 0 ? "none" : turnOffWithCard(client, actor)
}

/** Turns automatic top-up off because its card is gone. */
async function turnOffWithCard(client: PoolClient, actor: AccountActor): Promise<MemberCard> {
  const { rowCount } = await client.query(TURN_OFF, [actor.accountId])
  await recordAudit(client, actor, { action: "card.remove" })
  return rowCount ? "charged" : "saved"
}

/** Queues a mail that automatic top-up has ended, except to users who already have a mail with this source. */
export const reportCardEnd = (
  client: PoolClient,
  accountId: string,
  reason: CardEnd,
  source = `auto_topup_ended:${newId()}`,
): Promise<void> => queueMail(client, { accountId, kind: "auto_topup_ended", source, facts: { reason } })

const FORGOTTEN = "detached_at = now(), brand = 'card', last4 = '', exp_month = 0, exp_year = 0"

/** Records that Stripe no longer has a card, which the operator may have detached there. Turns automatic top-up off. */
export async function forgetDetachedCard({ pool }: Runtime, paymentMethodId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row<"SavedCard", "account_id">>(
      `UPDATE saved_card SET removed_at = now(), ${FORGOTTEN} WHERE payment_method_id = $1 AND removed_at IS NULL
       RETURNING account_id`,
      [paymentMethodId],
    )
    const accountId = rows[0]?.account_id
    if (!accountId) return
    if ((await turnOffWithCard(client, systemFor(accountId))) === "charged")
      await reportCardEnd(client, accountId, "detached")
  })
}

const isGone = (error: unknown): boolean => error instanceof Stripe.errors.StripeInvalidRequestError

async function detach({ pool }: Runtime, { stripe }: Payments, paymentMethodId: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(paymentMethodId)
  } catch (error) {
    // Stripe refuses to detach a card twice.
    if (!isGone(error)) throw error
  }
  // The id stays, so that a repeated event does not save the card again.
  await pool.query(`UPDATE saved_card SET ${FORGOTTEN} WHERE payment_method_id = $1`, [paymentMethodId])
}

/** Has Stripe forget up to 50 cards that were removed or replaced. Throws when Stripe is unreachable; the next call continues. */
export async function detachRemovedCards(runtime: Runtime): Promise<void> {
  const { payments, pool } = runtime
  if (!payments) return
  const { rows } = await pool.query<Row<"SavedCard", "payment_method_id">>(
    `SELECT payment_method_id FROM saved_card WHERE removed_at IS NOT NULL AND detached_at IS NULL
     ORDER BY removed_at LIMIT 50`,
  )
  for (const { payment_method_id: id } of rows) await detach(runtime, payments, id)
}
