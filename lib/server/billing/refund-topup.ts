import Stripe from "stripe"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { requireTokenStillAllowed } from "@/lib/server/platform/still-allowed"
import { ServiceError } from "@/lib/shared/errors"
import type { Payments } from "./payments"
import { reconcileTopup } from "./reconcile-topup"
import { requirePaymentsAsOperator, stripeUnreachable, topupNotFoundForOperator } from "./refusals"
import { type Topup, type TopupRow, toTopup } from "./topup"

interface RefundTopupInput {
  /** `top_…` */
  id: string
  /** The part of the payment to refund, including tax; above zero. Null refunds all that is left. */
  amountCents: number | null
  note: string
}

const unreachable = (cause: unknown): ServiceError => stripeUnreachable("Nothing was refunded.", cause)

async function findPaid(runtime: Runtime, id: string): Promise<TopupRow & { paymentIntentId: string }> {
  const uuid = parsePublicId("top", id)
  const row = uuid
    ? await reconcileTopup(runtime, uuid).catch((cause: unknown) => Promise.reject(unreachable(cause)))
    : null
  if (!row) throw topupNotFoundForOperator()
  const { paymentIntentId } = row
  if (row.status !== "paid" || paymentIntentId === null)
    throw new ServiceError("invalid_request", { param: "id", message: "Only a paid top-up can be refunded." })
  return { ...row, paymentIntentId }
}

function refusalOf(cause: unknown): ServiceError {
  const isRefused = cause instanceof Stripe.errors.StripeInvalidRequestError
  const message = isRefused
    ? `Stripe refused the refund: ${cause.message}`
    : "Stripe did not respond. Check in the Stripe dashboard whether the refund was made before you try again."
  return new ServiceError(isRefused ? "invalid_request" : "upstream_error", { message, cause })
}

/** Creates the refund once. After a lost response it succeeds if Stripe lists a refund of this run. */
async function createRefund({ stripe }: Payments, row: TopupRow & { paymentIntentId: string }, cents: number | null) {
  const run = newId()
  const amount = cents === null ? {} : { amount: cents }
  const params = { payment_intent: row.paymentIntentId, ...amount, metadata: { topup: row.id, run } }
  const wasCreated = async () => {
    const { data } = await stripe.refunds.list({ payment_intent: row.paymentIntentId, limit: 100 })
    return data.some(({ metadata }) => metadata?.run === run)
  }
  try {
    await stripe.refunds.create(params, { idempotencyKey: `refund:${run}` })
  } catch (cause) {
    if (!(await wasCreated().catch(() => false))) throw refusalOf(cause)
  }
}

/**
 * Refunds all or a part of a payment through Stripe and debits its credit. Decisions are refused while the balance is zero or negative.
 * For the operator. Throws `not_found`, `invalid_request` when Stripe refuses the refund, `upstream_error` without a response of Stripe, and
 * `invalid_api_key` when the actor's token ended before the refund was sent.
 */
export async function refundTopup(
  runtime: Runtime,
  actor: Actor,
  { id, amountCents, note }: RefundTopupInput,
): Promise<Topup> {
  requireRight(actor, "service.finance")
  const payments = requirePaymentsAsOperator(runtime)
  const { pool } = runtime
  const row = await findPaid(runtime, id)
  // The intent is committed before Stripe is called, so that no refund is without its audit row, not even after a crash.
  const on = { ...actor, accountId: row.accountId }
  const subject = `${publicId("top", row.id)} ${note}`
  await inTransaction(pool, async (client) => {
    await recordAudit(client, on, { action: "topup.refund", subject })
    await requireTokenStillAllowed(client, actor)
  })
  try {
    await createRefund(payments, row, amountCents)
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.code === "invalid_request"
    if (isRefused) await recordAudit(pool, on, { action: "topup.refund_refused", subject })
    throw error
  }
  // Stripe has the refund. If this fetch fails, the poller settles the top-up later.
  return toTopup((await reconcileTopup(runtime, row.id).catch(() => null)) ?? row)
}
