import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { PICO_PER_CENT, usdOfCents } from "@/lib/shared/money"
import { type FailedEvent, listFailedEvents, retryAllFailedEvents } from "./failed-events"
import { pollEvents } from "./poll-topups"
import { ForeignCheckout } from "./read-checkout"
import { requireReconciled } from "./reconcile-topup"
import { requirePaymentsAsOperator, topupNotFoundForOperator } from "./refusals"

/** Of all accounts. Amounts are exact USD texts of the top-ups that began in the last 30 days. */
export interface PaymentTotals {
  /** Whether top-ups are on, because a Stripe key is set. */
  enabled: boolean
  /** Whether the key is of Stripe's live mode. */
  livemode: boolean
  paidUsd: string
  refundedUsd: string
  disputedUsd: string
  /** Top-ups of the last 30 days that have not ended. */
  waiting: number
  /** Waiting top-ups that were not checked at Stripe for 2 hours. Servers check each hour. */
  overdue: number
  /** Completed checkouts that the operator has to settle or end. */
  attention: number
  /** Top-ups whose debits for a dispute are not reversed. */
  disputed: number
  /** Public ids of top-ups whose ledger entries differ from their credit, refunds and disputes, at most 20. */
  differing: string[]
  /** Until when Stripe's events were read, as ISO text; null before the first time. */
  eventsReadUntil: string | null
  /** Stripe's events that could not be settled, at most 100. */
  failedEvents: FailedEvent[]
}

type Totals = Nullable<Row<"StripeEventCursor", "read_until">> & {
  paid: string
  refunded: string
  disputed_cents: string
  waiting: number
  overdue: number
  doubtful: number
  disputed: number
}

const TOTALS = `
  SELECT
    coalesce(sum(paid_cents) FILTER (WHERE recent), 0) AS paid,
    coalesce(sum(refund_debit_cents) FILTER (WHERE recent), 0) AS refunded,
    coalesce(sum(dispute_debit_cents) FILTER (WHERE recent), 0) AS disputed_cents,
    count(*) FILTER (WHERE open AND created_at > now() - interval '30 days')::int AS waiting,
    count(*) FILTER (WHERE open AND recent AND checked_at < now() - interval '2 hours')::int AS overdue,
    count(*) FILTER (WHERE attention IS NOT NULL AND resolution IS NULL)::int AS doubtful,
    count(*) FILTER (WHERE dispute_debit_cents > 0)::int AS disputed,
    (SELECT read_until FROM stripe_event_cursor) AS read_until
  FROM (SELECT *, created_at > now() - interval '30 days' AS recent, status IN ('created', 'open', 'processing') AS open FROM topup) t`

// Sources are 'topup:<id>', followed by the kind and a number for refunds and disputes.
const DIFFERING = `
  SELECT t.id FROM topup t
  FULL JOIN (
    SELECT substr(source, 7, 36)::uuid AS id, sum(amount_pico) AS amount FROM ledger_entry
    WHERE kind <> 'charge' AND kind IN ('topup', 'refund', 'dispute') AND source LIKE 'topup:%' GROUP BY 1
  ) e ON e.id = t.id
  WHERE coalesce(e.amount, 0) <> CASE WHEN t.status = 'paid'
    THEN (t.amount_cents - t.refund_debit_cents - t.dispute_debit_cents) * ${PICO_PER_CENT}::numeric ELSE 0 END
  LIMIT 20`

/** Returns the totals of all payments, and whether they agree with the ledger. For the operator. */
export async function getPaymentTotals(runtime: Runtime, actor: Actor): Promise<PaymentTotals> {
  requireRight(actor, "service.read")
  const { pool, payments } = runtime
  const [totals, differing, failedEvents] = await Promise.all([
    pool.query<Totals>(TOTALS),
    pool.query<Nullable<Row<"Topup", "id">>>(DIFFERING),
    listFailedEvents(runtime, actor),
  ])
  const [row] = totals.rows
  if (!row) throw new Error("an aggregate returned no row")
  return {
    enabled: payments !== null,
    livemode: payments?.livemode ?? false,
    paidUsd: usdOfCents(Number(row.paid)),
    refundedUsd: usdOfCents(Number(row.refunded)),
    disputedUsd: usdOfCents(Number(row.disputed_cents)),
    waiting: row.waiting,
    overdue: row.overdue,
    attention: row.doubtful,
    disputed: row.disputed,
    differing: differing.rows.map(({ id }) => (id ? publicId("top", id) : "an unknown top-up")),
    eventsReadUntil: row.read_until?.toISOString() ?? null,
    failedEvents,
  }
}

const unreachable = (cause: unknown) =>
  new ServiceError("upstream_error", { message: "Stripe could not be read. Try again in a minute.", cause })

const mismatched = (reason: string, cause?: ForeignCheckout) =>
  new ServiceError("invalid_request", {
    message: `The payment at Stripe does not match this top-up (${reason}). Nothing was credited.`,
    cause,
  })

/**
 * Brings one top-up to its state at Stripe now. For the operator. Throws `not_found`, `upstream_error`, and `invalid_request` for a
 * payment that does not match the top-up.
 */
export async function refreshTopup(runtime: Runtime, actor: Actor, { id }: { id: string }): Promise<void> {
  requireRight(actor, "service.finance")
  requirePaymentsAsOperator(runtime)
  const topupId = parsePublicId("top", id)
  const row = topupId && (await prisma(runtime).topup.findUnique({ where: { id: topupId } }))
  if (!row) throw topupNotFoundForOperator()
  // The intent is recorded before Stripe is asked, so that no change is without its audit row, not even after a crash.
  await recordAudit(runtime.pool, { ...actor, accountId: row.accountId }, { action: "topup.refresh", subject: id })
  const after = await requireReconciled(runtime, row.id).catch((cause: unknown) => {
    throw cause instanceof ForeignCheckout ? mismatched(cause.message, cause) : unreachable(cause)
  })
  if (after?.attention && after.resolution === null) throw mismatched(after.attention)
}

/**
 * Reads Stripe's events since the last run, settles their top-ups, and retries every event that failed before. Returns how many top-ups
 * the new events concern. For the operator.
 */
export async function reconcilePayments(runtime: Runtime, actor: Actor): Promise<{ checked: number }> {
  requireRight(actor, "service.finance")
  requirePaymentsAsOperator(runtime)
  const { pool } = runtime
  // Recorded first, as in `refreshTopup`.
  await recordAudit(pool, actor, { action: "topup.reconcile" })
  const checked = await pollEvents(runtime).catch((cause) => Promise.reject(unreachable(cause)))
  await retryAllFailedEvents(runtime)
  return { checked }
}
