import Stripe from "stripe"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { StoredTopupStatus } from "@/lib/shared/billing/schema"
import type { Payments } from "./payments"
import { cardOf, type NewCard } from "./saved-card"
import type { TopupRow } from "./topup"

/** The state of one top-up at Stripe. Amounts are USD cents. */
export interface CheckoutFacts {
  status: Exclude<StoredTopupStatus, "created">
  /** Why a completed checkout cannot be credited or given up; else null. Its status is `failed`. */
  attention: string | null
  paymentIntentId: string | null
  /** The payment, including tax; null until it is paid. */
  paidCents: number | null
  refundedCents: number
  disputedCents: number
  receiptUrl: string | null
  /** The address of the checkout while it is open. */
  checkoutUrl: string | null
  /** The card that a paid checkout saved; else null. */
  card: NewCard | null
}

/** A session or payment that does not match its top-up, or that Stripe does not have. Nothing is credited for it. */
export class ForeignCheckout extends Error {}

/** The dispute statuses in which Stripe keeps the disputed money. An inquiry (`warning_…`) withdraws nothing. */
const HOLDS_FUNDS = new Set(["needs_response", "under_review", "lost"])
const MAX_LISTED = 10_000
const NOT_REFUNDED = new Set(["failed", "canceled"])

function assertMatches(session: Stripe.Checkout.Session, topup: TopupRow, livemode: boolean): void {
  if (session.client_reference_id !== topup.id) throw new ForeignCheckout("another reference")
  if (session.livemode !== livemode) throw new ForeignCheckout("the other mode")
}

/** The states of a payment that is in progress, or that failed and will not be tried again. */
const UNPAID = new Set<string | undefined>([
  "processing",
  "requires_action",
  "requires_confirmation",
  "requires_payment_method",
  "canceled",
  "succeeded",
])

/** Returns why a completed checkout is not what its top-up asked for; null for one that is, or whose payment is in progress. */
function attentionOf(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
  { amountCents }: TopupRow,
): string | null {
  if (session.status === "open" || session.status === "expired") return null
  if (session.payment_status === "unpaid") return UNPAID.has(intent?.status) ? null : "an unknown status"
  if (session.payment_status === "no_payment_required") return "no payment required"
  if (session.payment_status !== "paid") return "an unknown status"
  if (session.currency !== "usd") return "another currency"
  if (session.amount_subtotal !== amountCents) return "another amount"
  if ((session.amount_total ?? 0) < amountCents) return "a reduced amount"
  return intent ? null : "no payment"
}

function statusOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): CheckoutFacts["status"] {
  if (session.status === "open") return "open"
  if (session.status === "expired") return "expired"
  if (session.payment_status === "paid") return "paid"
  return intent?.status === "requires_payment_method" || intent?.status === "canceled" ? "failed" : "processing"
}

/** Returns an expanded object; null for an id. */
export const expanded = <Expanded extends { id: string }>(
  value: string | Expanded | null | undefined,
): Expanded | null => (typeof value === "object" ? value : null)

const RECENT = 100

/** Finds a session whose creation succeeded although the response was lost. Null if it is not among the customer's 100 newest. */
export async function findCheckout(
  { pool }: Runtime,
  { stripe }: Payments,
  topup: TopupRow,
): Promise<Stripe.Checkout.Session | null> {
  const { rows } = await pool.query<{ customer: string | null }>(
    "SELECT stripe_customer_id AS customer FROM account WHERE id = $1",
    [topup.accountId],
  )
  const customer = rows[0]?.customer
  if (!customer) return null
  const { data } = await stripe.checkout.sessions.list({ customer, limit: RECENT })
  return data.find((session) => session.client_reference_id === topup.id) ?? null
}

/** Fetches a session with the objects in `expand`. Throws `ForeignCheckout` for one that this Stripe account does not have. */
export async function retrieveSession(stripe: Stripe, id: string, expand: string[]): Promise<Stripe.Checkout.Session> {
  try {
    return await stripe.checkout.sessions.retrieve(id, { expand })
  } catch (error) {
    // A live-mode key does not find a session of the test mode.
    if (error instanceof Stripe.errors.StripeError && error.code === "resource_missing")
      throw new ForeignCheckout("no such session")
    throw error
  }
}

const sum = (amounts: { amount: number }[]): number => amounts.reduce((total, { amount }) => total + amount, 0)

/** Returns the sums of refunds that did not fail and of disputes whose money Stripe keeps. */
export async function readReturned(stripe: Stripe, paymentIntentId: string) {
  const filter = { payment_intent: paymentIntentId, limit: 100 }
  const [refunds, disputes] = await Promise.all([
    stripe.refunds.list(filter).autoPagingToArray({ limit: MAX_LISTED }),
    stripe.disputes.list(filter).autoPagingToArray({ limit: MAX_LISTED }),
  ])
  return {
    refundedCents: sum(refunds.filter(({ status }) => !NOT_REFUNDED.has(status ?? ""))),
    disputedCents: sum(disputes.filter(({ status }) => HOLDS_FUNDS.has(status))),
  }
}

const EXPANDED = ["payment_intent.latest_charge", "invoice"]
const WITH_CARD = [...EXPANDED, "payment_intent.payment_method"]

/** Fetches the session, payment, refunds and disputes of a top-up. Throws `ForeignCheckout` for a session that does not match. */
export async function readCheckout(
  { stripe, livemode }: Payments,
  topup: TopupRow,
  sessionId: string,
): Promise<CheckoutFacts> {
  const session = await retrieveSession(stripe, sessionId, topup.savesCard ? WITH_CARD : EXPANDED)
  assertMatches(session, topup, livemode)
  const intent = expanded<Stripe.PaymentIntent>(session.payment_intent)
  const attention = attentionOf(session, intent, topup)
  const status = attention === null ? statusOf(session, intent) : "failed"
  const facts = {
    status,
    attention,
    paymentIntentId: intent?.id ?? null,
    paidCents: null,
    refundedCents: 0,
    disputedCents: 0,
    receiptUrl: null,
    checkoutUrl: session.url,
    card: null,
  }
  if (status !== "paid" || !intent) return facts
  const charge = expanded<Stripe.Charge>(intent.latest_charge)
  return {
    ...facts,
    ...(await readReturned(stripe, intent.id)),
    paidCents: session.amount_total,
    card: topup.savesCard ? cardOf(intent.payment_method) : null,
    receiptUrl: expanded<Stripe.Invoice>(session.invoice)?.hosted_invoice_url ?? charge?.receipt_url ?? null,
  }
}
