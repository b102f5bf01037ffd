import Stripe from "stripe"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { operatorFor } from "@/lib/server/platform/actor"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { Payments } from "./payments"
import { reconcileTopup } from "./reconcile-topup"
import { type Topup, toTopup } from "./topup"
import type { TopupRow } from "./topup-row"

export interface RefundTopupInput {
  /** `top_…` */
  id: string
  /** Of what was paid, tax included; null: all that is left. */
  amountCents: number | null
  note: string
}

async function findPaid(id: string): Promise<TopupRow & { paymentIntentId: string }> {
  const uuid = parsePublicId("top", id)
  const row = uuid ? await reconcileTopup(uuid) : null
  if (!row) throw new ServiceError("not_found", { message: "There is no top-up with this id." })
  const { paymentIntentId } = row
  if (row.status !== "paid" || paymentIntentId === null)
    throw new ServiceError("invalid_request", { param: "id", message: "Only a paid top-up can be refunded." })
  return { ...row, paymentIntentId }
}

/** Whether this run's refund was made although its answer did not reach us. */
async function wasMade({ stripe }: Payments, paymentIntentId: string, run: string): Promise<boolean> {
  const refunds = await stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 })
  return refunds.data.some(({ metadata }) => metadata?.run === run)
}

function refused(cause: unknown): ServiceError {
  const isOurs = cause instanceof Stripe.errors.StripeInvalidRequestError
  const message = isOurs
    ? `Stripe refused it: ${cause.message}`
    : "Stripe did not answer. Look there whether it was refunded before you try again."
  return new ServiceError(isOurs ? "invalid_request" : "upstream_error", { message, cause })
}

/**
 * Refunds a payment through Stripe, whole or in part, and debits the credit it stood for. The operator's: the balance may go
 * negative, which refuses decisions until it is topped up.
 */
export async function refundTopup({ id, amountCents, note }: RefundTopupInput): Promise<Topup> {
  const { payments, pool } = runtime()
  if (!payments) throw new ServiceError("forbidden", { message: "Top-ups are off: STRIPE_SECRET_KEY is not set." })
  const row = await findPaid(id)
  const run = newId()
  const amount = amountCents === null ? {} : { amount: amountCents }
  const params = { payment_intent: row.paymentIntentId, ...amount, metadata: { topup: row.id, run } }
  try {
    await payments.stripe.refunds.create(params, { idempotencyKey: `refund:${run}` })
  } catch (cause) {
    if (!(await wasMade(payments, row.paymentIntentId, run).catch(() => false))) throw refused(cause)
  }
  await recordAudit(pool, operatorFor(row.accountId), {
    action: "topup.refund",
    subject: `${publicId("top", row.id)} ${note}`,
  })
  // The money has gone back: whatever fails from here on, the poller settles.
  return toTopup((await reconcileTopup(row.id).catch(() => null)) ?? row)
}
