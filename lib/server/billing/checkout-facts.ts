import Stripe from "stripe"
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
  /** Where it is paid while it is open. */
  checkoutUrl: string | null
}

/** Why a session is not what our row says; nothing is credited for it. */
export class ForeignCheckout extends Error {}

const HOLDS_FUNDS = new Set(["needs_response", "under_review", "lost"])
const MOST = 10_000
const NEVER_LEFT = new Set(["failed", "canceled"])

function assertOurs(session: Stripe.Checkout.Session, topup: TopupRow, livemode: boolean): void {
  if (session.client_reference_id !== topup.id) throw new ForeignCheckout("another reference")
  if (session.livemode !== livemode) throw new ForeignCheckout("the other mode")
  if (session.currency !== "usd") throw new ForeignCheckout("another currency")
  if (session.amount_subtotal !== topup.amountCents) throw new ForeignCheckout("another amount")
  if ((session.amount_total ?? 0) < topup.amountCents) throw new ForeignCheckout("a reduced amount")
}

function statusOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): CheckoutFacts["status"] {
  if (session.status === "open") return "open"
  if (session.status === "expired") return "expired"
  if (session.payment_status === "paid") return "paid"
  return intent?.status === "requires_payment_method" || intent?.status === "canceled" ? "failed" : "processing"
}

const expanded = <Expanded extends { id: string }>(value: string | Expanded | null | undefined): Expanded | null =>
  typeof value === "object" ? value : null

async function retrieveSession(stripe: Stripe, id: string): Promise<Stripe.Checkout.Session> {
  try {
    return await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent.latest_charge", "invoice"] })
  } catch (error) {
    // Such as one of the test mode, once the key is of the live mode.
    if (error instanceof Stripe.errors.StripeError && error.code === "resource_missing")
      throw new ForeignCheckout("no such session")
    throw error
  }
}

const sum = (amounts: { amount: number }[]): number => amounts.reduce((total, { amount }) => total + amount, 0)

/** What of a payment has gone back: by refunds that did not fail, and by disputes that hold its money. */
async function readTaken(stripe: Stripe, paymentIntentId: string) {
  const of = { payment_intent: paymentIntentId, limit: 100 }
  const [refunds, disputes] = await Promise.all([
    stripe.refunds.list(of).autoPagingToArray({ limit: MOST }),
    stripe.disputes.list(of).autoPagingToArray({ limit: MOST }),
  ])
  return {
    refundedCents: sum(refunds.filter(({ status }) => !NEVER_LEFT.has(status ?? ""))),
    disputedCents: sum(disputes.filter(({ status }) => HOLDS_FUNDS.has(status))),
  }
}

/** Reads a top-up's session, payment, refunds and disputes from Stripe. Throws `ForeignCheckout` when it is not this top-up's. */
export async function readCheckout(
  { stripe, livemode }: Payments,
  topup: TopupRow,
  sessionId: string,
): Promise<CheckoutFacts> {
  const session = await retrieveSession(stripe, sessionId)
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
    checkoutUrl: session.url,
  }
  if (status !== "paid") return facts
  if (!intent) throw new ForeignCheckout("no payment")
  const charge = expanded<Stripe.Charge>(intent.latest_charge)
  return {
    ...facts,
    ...(await readTaken(stripe, intent.id)),
    paidCents: session.amount_total,
    receiptUrl: expanded<Stripe.Invoice>(session.invoice)?.hosted_invoice_url ?? charge?.receipt_url ?? null,
  }
}
