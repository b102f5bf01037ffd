import type { ClientBase, Pool } from "pg"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { StoredTopupStatus, TopupStatus } from "@/lib/shared/billing/schema"
import { pico, usd12, usdOfCents } from "@/lib/shared/money"
import type { Topup as TopupModel } from "@/prisma/client/client"

/** A row of `topup`. Amounts are USD cents. */
export type TopupRow = Omit<TopupModel, "status" | "checkedAt" | "chargedAt" | "resolution"> & {
  status: StoredTopupStatus
  resolution: "settled" | "ended" | null
  /** What the operator credited in pico-USD; null unless the operator settled it. */
  settledPico: string | null
}

/** The entry of the ledger that a settled top-up has in place of its own. */
const SETTLED = `SELECT amount_pico FROM ledger_source s
  JOIN ledger_entry e ON e.account_id = s.account_id AND e.id = s.entry_id AND e.created_at = s.created_at
  WHERE topup.resolution = 'settled' AND s.source = 'topup:' || topup.id || ':settled'`

/** The columns of a `TopupRow`. */
export const COLUMNS = `id, account_id AS "accountId", user_id AS "userId", amount_cents AS "amountCents", status, session_id AS "sessionId",
  checkout_url AS "checkoutUrl", payment_intent_id AS "paymentIntentId", paid_cents AS "paidCents",
  refund_debit_cents AS "refundDebitCents", dispute_debit_cents AS "disputeDebitCents", receipt_url AS "receiptUrl", version, created_at AS "createdAt",
  is_automatic AS "isAutomatic", payment_method_id AS "paymentMethodId", saves_card AS "savesCard", attention, resolution, (${SETTLED}) AS "settledPico"`

const BY = {
  id: "id = $1",
  sessionId: "session_id = $1",
  paymentIntentId: "payment_intent_id = $1",
} as const

/** Returns the top-up with this id, session or payment, of any account; null when there is none. */
export async function findTopup(db: Pool | ClientBase, by: keyof typeof BY, value: string): Promise<TopupRow | null> {
  const { rows } = await db.query<TopupRow>(`SELECT ${COLUMNS} FROM topup WHERE ${BY[by]}`, [value])
  return rows[0] ?? null
}

/** Returns a top-up, locked until the transaction ends; null when there is none. */
export async function lockTopup(client: ClientBase, id: string): Promise<TopupRow | null> {
  const { rows } = await client.query<TopupRow>(`SELECT ${COLUMNS} FROM topup WHERE id = $1 FOR UPDATE`, [id])
  return rows[0] ?? null
}

/** A top-up as the console shows it. Amounts are exact USD texts. */
export interface Topup {
  /** `top_…` */
  id: string
  /** ISO text. */
  at: string
  /** What was credited; before that, what was asked for. */
  creditUsd: string
  /** The payment, including tax; null until it is paid. */
  paidUsd: string | null
  status: TopupStatus
  /** The credit that was debited for refunds. */
  refundedUsd: string
  /** The credit that was debited for disputes. */
  disputedUsd: string
  /** The address of an open checkout; else null. */
  checkoutUrl: string | null
  receiptUrl: string | null
  isAutomatic: boolean
}

export const toTopup = (row: TopupRow): Topup => ({
  id: publicId("top", row.id),
  at: row.createdAt.toISOString(),
  creditUsd: row.settledPico === null ? usdOfCents(row.amountCents) : usd12(pico(row.settledPico)),
  paidUsd: row.paidCents === null ? null : usdOfCents(row.paidCents),
  status: row.attention === null ? row.status : (row.resolution ?? "attention"),
  refundedUsd: usdOfCents(row.refundDebitCents),
  disputedUsd: usdOfCents(row.disputeDebitCents),
  checkoutUrl: row.status === "open" ? row.checkoutUrl : null,
  receiptUrl: row.receiptUrl,
  isAutomatic: row.isAutomatic,
})

const MAX_LISTED = 100
/** Stripe ends a checkout after an hour. The rest is time for the payment to arrive here. */
const ABANDONED_MS = 70 * 60_000

/** Shows a checkout that nobody paid as expired, also before Stripe was asked. A late payment changes the stored row. */
const withoutAbandoned = (row: TopupRow, now: number): TopupRow =>
  (row.status === "open" || row.status === "created") && now - row.createdAt.getTime() > ABANDONED_MS
    ? { ...row, status: "expired" }
    : row

const NEWEST = `SELECT ${COLUMNS} FROM topup WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${MAX_LISTED}`

/** Returns the newest 100 top-ups of the actor's account, newest first. Needs `billing.read`. */
export async function listTopups({ pool }: Runtime, actor: AccountActor): Promise<Topup[]> {
  requireRight(actor, "billing.read")
  const { rows } = await pool.query<TopupRow>(NEWEST, [actor.accountId])
  return rows.map((row) => toTopup(withoutAbandoned(row, Date.now())))
}
