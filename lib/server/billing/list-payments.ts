import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { TopupFilter } from "@/lib/shared/operator/search"
import { COLUMNS, type Topup, type TopupRow, toTopup } from "./topup"

interface ListPaymentsInput {
  limit?: number
  /** The `next` of the page before; null for the first page. */
  after?: string | null
  /** A UUID; null for all accounts. */
  accountId?: string | null
  show?: TopupFilter
}

export interface Payment extends Topup {
  /** Why its completed checkout needs, or needed, the operator; else null. */
  attention: string | null
  account: {
    /** `acc_…` */
    id: string
    email: string | null
  }
  /** True for a top-up of the last 30 days that has not ended and was not checked at Stripe for 2 hours. Servers check each hour. */
  isOverdue: boolean
}

type PaymentRow = TopupRow & { at: string; owner: string | null; isOverdue: boolean }

// An unpaid checkout ends within 30 days. After that, no server checks it at Stripe any more.
const OVERDUE =
  "status IN ('created', 'open', 'processing') AND checked_at < now() - interval '2 hours' AND created_at > now() - interval '30 days'"

const SHOWN: Record<TopupFilter, string> = {
  all: "true",
  waiting: "status IN ('created', 'open', 'processing')",
  paid: "status = 'paid'",
  refunded: "refund_debit_cents > 0",
  disputed: "dispute_debit_cents > 0",
  failed: "status IN ('failed', 'expired') AND attention IS NULL",
  attention: "attention IS NOT NULL AND resolution IS NULL",
}

const selectOf = (show: TopupFilter): string => `
  SELECT ${COLUMNS}, extract(epoch FROM created_at)::text AS at, ${OVERDUE} AS "isOverdue",
    first_owner_email(account_id) AS owner
  FROM topup
  WHERE ${SHOWN[show]} AND ($2::uuid IS NULL OR account_id = $2)
    AND ($3::numeric IS NULL OR (created_at, id) < (to_timestamp($3::numeric), $4::uuid))
  ORDER BY created_at DESC, id DESC LIMIT $1`

/** Parses a cursor: the time of the last row in seconds, and its id. */
function parseCursor(after: string | null): [string | null, string | null] {
  if (after === null) return [null, null]
  const [, at, id] = /^(\d{1,12}\.\d{6})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(after) ?? []
  if (!at || !id)
    throw new ServiceError("invalid_request", { param: "after", message: "Use the `next` of the page before." })
  return [at, id]
}

const paymentOf = ({ owner, isOverdue, ...row }: PaymentRow): Payment => ({
  ...toTopup(row),
  attention: row.attention,
  account: { id: publicId("acc", row.accountId), email: owner },
  isOverdue,
})

/** Lists the top-ups of all accounts or of one, newest first. For the operator. `next` is null on the last page. */
export async function listPayments(
  { pool }: Runtime,
  actor: Actor,
  { limit = 50, after = null, accountId = null, show = "all" }: ListPaymentsInput = {},
): Promise<{ payments: Payment[]; next: string | null }> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<PaymentRow>(selectOf(show), [limit + 1, accountId, ...parseCursor(after)])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    payments: page.map(paymentOf),
    next: rows.length > limit && last ? `${last.at}_${last.id}` : null,
  }
}
