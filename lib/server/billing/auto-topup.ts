import type { ClientBase, Pool } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { type AccountActor, requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type AutoTopupInput, DISPUTE_OPEN, type PauseReason } from "@/lib/shared/billing/auto-topup"
import type { SavedCard } from "@/lib/shared/billing/saved-card"
import { ServiceError } from "@/lib/shared/errors"
import { PICO_PER_CENT, parseUsd, pico, toCents, usdOfCents } from "@/lib/shared/money"
import { MONTH_START } from "./months"
import { hasOpenDispute } from "./open-dispute"
import type { Payments } from "./payments"
import { requirePayments, stripeUnreachable } from "./refusals"
import { TURN_OFF } from "./saved-card"
import { topupCents } from "./topup-terms"

/** Automatic top-up as the console shows it. Amounts are exact USD texts, without tax. */
export interface AutoTopup {
  state: "off" | "on" | "paused"
  /** Null unless it is paused. */
  pauseReason: PauseReason | null
  /** Null until an owner turned it on for the first time. */
  terms: { thresholdUsd: string; amountUsd: string; capUsd: string } | null
  card: SavedCard | null
  /** What automatic top-ups charged in this UTC month, including one in progress. */
  chargedThisMonthUsd: string
  /** Whether the monthly maximum leaves no room for another top-up in this month. */
  isCapped: boolean
  /** Whether the balance is at the threshold or below. */
  isLow: boolean
  isCharging: boolean
  /** ISO text: no charge begins before. Null without a charge in the last ten minutes. */
  nextChargeAt: string | null
}

/** An SQL condition on `auto_topup t` and `account a`: the balance is at the owner's threshold or below. */
export const IS_LOW = `a.balance_pico <= t.threshold_cents * ${PICO_PER_CENT}`

/** An SQL condition on `account a`: a charge is in progress. */
export const IS_CHARGING = `EXISTS (
    SELECT FROM topup p WHERE p.account_id = a.id AND p.is_automatic AND p.status IN ('created', 'processing'))`

/**
 * An SQL expression on `account a`: when the next charge may begin, ten minutes after the last one, also after a failed one. If its
 * payment was confirmed later, the ten minutes count from the last attempt to confirm it. Null before the first charge.
 */
export const NEXT_CHARGE_AT = `(
    SELECT max(greatest(p.created_at, p.charged_at)) + interval '10 minutes' FROM topup p
    WHERE p.account_id = a.id AND p.is_automatic)`

/** The cents that automatic top-ups of an account charged in this UTC month, or are charging. */
export const CHARGED_THIS_MONTH = `
  SELECT coalesce(sum(amount_cents), 0)::int FROM topup
  WHERE account_id = $1 AND is_automatic AND status IN ('created', 'processing', 'paid')
    AND created_at >= ${MONTH_START}`

const SELECT = `
  SELECT t.state, t.pause_reason, t.threshold_cents, t.amount_cents, t.cap_cents, (${CHARGED_THIS_MONTH}) AS charged_cents,
    coalesce(${IS_LOW}, false) AS is_low, ${IS_CHARGING} AS is_charging,
    (SELECT at FROM (SELECT ${NEXT_CHARGE_AT} AS at) next WHERE at > now()) AS next_charge_at,
    c.brand, c.last4, c.exp_month, c.exp_year
  FROM account a LEFT JOIN auto_topup t ON t.account_id = a.id
  LEFT JOIN saved_card c ON c.account_id = a.id AND c.removed_at IS NULL
  WHERE a.id = $1`

type Terms = Row<"AutoTopup", "threshold_cents" | "amount_cents" | "cap_cents"> &
  Row<"SavedCard", "last4" | "exp_month" | "exp_year"> &
  Nullable<Row<"SavedCard", "brand">> & {
    state: AutoTopup["state"] | null
    pause_reason: PauseReason | null
    charged_cents: number
    is_low: boolean
    is_charging: boolean
    next_charge_at: Date | null
  }

/** Returns the account's automatic top-up and its saved card. Needs `billing.read`. */
export async function getAutoTopup({ pool }: Runtime, actor: AccountActor): Promise<AutoTopup> {
  requireRight(actor, "billing.read")
  const { rows } = await pool.query<Terms>(SELECT, [actor.accountId])
  const [row] = rows
  if (!row) throw new Error("the actor has no account")
  const { state, brand } = row
  return {
    state: state ?? "off",
    pauseReason: row.pause_reason,
    terms: state && {
      thresholdUsd: usdOfCents(row.threshold_cents),
      amountUsd: usdOfCents(row.amount_cents),
      capUsd: usdOfCents(row.cap_cents),
    },
    card: brand === null ? null : { brand, last4: row.last4, expMonth: row.exp_month, expYear: row.exp_year },
    chargedThisMonthUsd: usdOfCents(row.charged_cents),
    isCapped: state !== null && row.charged_cents + row.amount_cents > row.cap_cents,
    isLow: row.is_low,
    isCharging: row.is_charging,
    nextChargeAt: row.next_charge_at?.toISOString() ?? null,
  }
}

const centsOf = (amountUsd: string): number => toCents(parseUsd(amountUsd) ?? pico(0)) ?? 0

const TURN_ON = `
  INSERT INTO auto_topup (account_id, state, threshold_cents, amount_cents, cap_cents)
  SELECT $1, 'on', $2, $3, $4 WHERE EXISTS (SELECT FROM saved_card WHERE account_id = $1 AND removed_at IS NULL)
  ON CONFLICT (account_id) DO UPDATE SET state = 'on', pause_reason = NULL, capped_in = NULL,
    threshold_cents = $2, amount_cents = $3, cap_cents = $4`

/** Throws `invalid_request` while a payment of the account is disputed, because a new charge would probably be disputed too. */
async function requireNoDispute(runtime: Runtime, payments: Payments, accountId: string): Promise<void> {
  const isOpen = await hasOpenDispute(runtime, payments, accountId).catch((cause: unknown) => {
    throw stripeUnreachable("Nothing was changed.", cause)
  })
  if (isOpen) throw new ServiceError("invalid_request", { message: DISPUTE_OPEN })
}

const DISPUTED = "SELECT coalesce(sum(dispute_debit_cents), 0)::int AS cents FROM topup WHERE account_id = $1"

async function disputedCents(client: ClientBase | Pool, accountId: string): Promise<number> {
  const { rows } = await client.query<{ cents: number }>(DISPUTED, [accountId])
  return rows[0]?.cents ?? 0
}

/**
 * Turns automatic top-up on with these terms, changes them, or resumes it. Throws `invalid_request` without a saved card and
 * while a dispute is open. Throws `upstream_error` if Stripe has to be asked about a dispute and is unreachable. Needs
 * `billing.automate` and a recent sign-in.
 */
export async function turnOnAutoTopup(
  runtime: Runtime,
  actor: UserActor,
  { thresholdUsd, amountUsd, capUsd }: AutoTopupInput,
): Promise<void> {
  requireRight(actor, "billing.automate")
  requireConfirmed(actor, "turnOnAutoTopup")
  const payments = requirePayments(runtime)
  const values = [actor.accountId, centsOf(thresholdUsd), topupCents(runtime, amountUsd), centsOf(capUsd)]
  const disputed = await disputedCents(runtime.pool, actor.accountId)
  await requireNoDispute(runtime, payments, actor.accountId)
  await inTransaction(runtime.pool, async (client) => {
    await lockAccount(client, actor.accountId)
    // Stripe was asked before the lock, and a dispute may have begun since.
    if ((await disputedCents(client, actor.accountId)) > disputed)
      throw new ServiceError("invalid_request", { message: DISPUTE_OPEN })
    const { rowCount } = await client.query(TURN_ON, values)
    if (rowCount !== 1) throw new ServiceError("invalid_request", { message: "Save a card first." })
    const detail = `$${amountUsd} at $${thresholdUsd}, at most $${capUsd} per month`
    await recordAudit(client, actor, { action: "auto_topup.on", detail })
  })
}

/** Turns automatic top-up off and keeps the card and the terms. A charge that was already confirmed at Stripe is completed. */
export async function turnOffAutoTopup({ pool }: Runtime, actor: UserActor): Promise<void> {
  requireRight(actor, "billing.automate")
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    const { rowCount } = await client.query(TURN_OFF, [actor.accountId])
    if (rowCount === 1) await recordAudit(client, actor, { action: "auto_topup.off" })
  })
}
