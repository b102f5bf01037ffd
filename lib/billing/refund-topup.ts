import "server-only"
import { audit } from "../accounts/audit"
import { ServiceError } from "../errors"
import { parsePublicId, publicId } from "../ids"
import { runtime } from "../runtime"
import { reconcileTopup } from "./reconcile-topup"
import { requirePayments } from "./start-topup"
import { type Topup, toTopup } from "./topup"
import { findTopup } from "./topup-row"

export interface RefundTopupInput {
  /** `top_…` */
  id: string
  /** Of what was paid, tax included; null: all that is left. */
  amountCents: number | null
  note: string
}

/**
 * Refunds a payment through Stripe, whole or in part, and debits the credit it stood for. The operator's: the balance may go
 * negative, which refuses decisions until it is topped up.
 */
export async function refundTopup({ id, amountCents, note }: RefundTopupInput): Promise<Topup> {
  const { pool } = runtime()
  const { stripe } = requirePayments()
  const uuid = parsePublicId("top", id)
  const found = uuid ? await findTopup(pool, "id", uuid) : null
  if (!found) throw new ServiceError("not_found", { message: "There is no top-up with this id." })
  const row = (await reconcileTopup(found.id)) ?? found
  if (row.status !== "paid" || !row.paymentIntentId)
    throw new ServiceError("invalid_request", { param: "id", message: "Only a paid top-up can be refunded." })
  await stripe.refunds.create(
    {
      payment_intent: row.paymentIntentId,
      ...(amountCents === null ? {} : { amount: amountCents }),
      metadata: { topup: row.id },
    },
    { idempotencyKey: `refund:${row.id}:${row.version}:${amountCents ?? "rest"}` },
  )
  await audit(pool, {
    accountId: row.accountId,
    actor: "operator",
    action: "topup.refund",
    subject: `${publicId("top", row.id)} ${note}`,
  })
  return toTopup((await reconcileTopup(row.id)) ?? row)
}
