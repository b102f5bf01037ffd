import type { ClientBase, Pool } from "pg"

export type TopupStatus = "created" | "open" | "processing" | "paid" | "failed" | "expired"

/** A row of `topup`; cents of USD. */
export interface TopupRow {
  id: string
  accountId: string
  amountCents: number
  status: TopupStatus
  sessionId: string | null
  checkoutUrl: string | null
  paymentIntentId: string | null
  paidCents: number | null
  refundDebitCents: number
  disputeDebitCents: number
  receiptUrl: string | null
  version: number
  createdAt: Date
}

const COLUMNS = `id, account_id AS "accountId", amount_cents AS "amountCents", status, session_id AS "sessionId",
  checkout_url AS "checkoutUrl", payment_intent_id AS "paymentIntentId", paid_cents AS "paidCents",
  refund_debit_cents AS "refundDebitCents", dispute_debit_cents AS "disputeDebitCents", receipt_url AS "receiptUrl", version, created_at AS "createdAt"`

const BY = {
  id: "id = $1",
  sessionId: "session_id = $1",
  paymentIntentId: "payment_intent_id = $1",
} as const

/** The top-up with this id, session or payment, or null. */
export async function findTopup(db: Pool | ClientBase, by: keyof typeof BY, value: string): Promise<TopupRow | null> {
  const { rows } = await db.query<TopupRow>(`SELECT ${COLUMNS} FROM topup WHERE ${BY[by]}`, [value])
  return rows[0] ?? null
}

/** The same, locked until the transaction ends. */
export async function lockTopup(client: ClientBase, id: string): Promise<TopupRow | null> {
  const { rows } = await client.query<TopupRow>(`SELECT ${COLUMNS} FROM topup WHERE id = $1 FOR UPDATE`, [id])
  return rows[0] ?? null
}
