import "server-only"
import type Stripe from "stripe"
import type { Payments } from "./payments"
import type { TopupRow, TopupStatus } from "./topup-row"

/** What Stripe says of one top-up now, in cents of USD. */
export interface CheckoutFacts {
  status: Exclude<TopupStatus, "created">
  paymentIntentId: string | null
  /** All that was paid, tax included; null while it is not paid. */
  paidCents: number | null
  refundedCents: number
  disputedCents: number
  receiptUrl: string | null
}

/** Why a session is not what our row says; nothing is credited for it. */
export class ForeignCheckout extends Error {}

const HOLDS_FUNDS = new Set(["needs_response", "under_review", "lost"])

function assertOurs(session: Stripe.Checkout.Session, topup: TopupRow, livemode: boolean): void {
  if (session.client_reference_id !== topup.id) throw new ForeignCheckout("another reference")
  if (session.livemode !== livemode) throw new ForeignCheckout("the other mode")
  if (session.currency !== "usd") throw new ForeignCheckout("another currency")
  if (session.amount_subtotal !== topup.amountCents) throw new ForeignCheckout("another amount")
}

function statusOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): CheckoutFacts["status"] {
  if (session.status === "open") return "open"
  if (session.status === "expired") return "expired"
  if (session.payment_status === "paid") return "paid"
  return intent?.status === "requires_payment_method" || intent?.status === "canceled" ? "failed" : "processing"
}

const expanded = <Expanded extends { id: string }>(value: string | Expanded | null | undefined): Expanded | null =>
  typeof value === "object" ? value : null

/** Reads a top-up's session, payment, refunds and disputes from Stripe. Throws `ForeignCheckout` when it is not this top-up's. */
export async function readCheckout(
  { stripe, livemode }: Payments,
  topup: TopupRow,
  sessionId: string,
): Promise<CheckoutFacts> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ["payment_intent.latest_charge", "invoice"],
  })
  assertOurs(session, topup, livemode)
  const intent = expanded<Stripe.PaymentIntent>(session.payment_intent)
  const status = statusOf(session, intent)
  const facts = {
    status,
    paymentIntentId: intent?.id ?? null,
    paidCents: null,
    refundedCents: 0,
    disputedCents: 0,
    receiptUrl: null,
  }
  if (status !== "paid") return facts
  if (!intent) throw new ForeignCheckout("no payment")
  const charge = expanded<Stripe.Charge>(intent.latest_charge)
  const { data: disputes } = await stripe.disputes.list({ payment_intent: intent.id, limit: 100 })
  const held = disputes.filter((dispute) => HOLDS_FUNDS.has(dispute.status))
  return {
    ...facts,
    paidCents: session.amount_total,
    refundedCents: charge?.amount_refunded ?? 0,
    disputedCents: held.reduce((sum, dispute) => sum + dispute.amount, 0),
    receiptUrl: expanded<Stripe.Invoice>(session.invoice)?.hosted_invoice_url ?? charge?.receipt_url ?? null,
  }
}
