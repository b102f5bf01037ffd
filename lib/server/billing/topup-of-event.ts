import type Stripe from "stripe"
import { runtime } from "@/lib/server/platform/runtime"
import type { Payments } from "./payments"
import { findTopup } from "./topup-row"

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The kinds of event that can change a top-up. Everything else is ignored. */
export const TOPUP_EVENTS = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
] as const satisfies Stripe.Event.Type[]

const isTopupEvent = (type: string): boolean => (TOPUP_EVENTS as readonly string[]).includes(type)

async function byReference(reference: string | null | undefined): Promise<string | null> {
  if (!reference || !UUID.test(reference)) return null
  return (await findTopup(runtime().pool, "id", reference))?.id ?? null
}

/** By the payment that a refund or dispute is of. Its own event may come before that of the checkout: then Stripe is asked. */
async function byPayment({ stripe }: Payments, payment: unknown): Promise<string | null> {
  const id = typeof payment === "string" ? payment : null
  if (!id) return null
  const known = await findTopup(runtime().pool, "paymentIntentId", id)
  if (known) return known.id
  const { data } = await stripe.checkout.sessions.list({ payment_intent: id, limit: 1 })
  return byReference(data[0]?.client_reference_id)
}

/** Which top-up an event is about, or null when it is none of ours. The event only points: what it says is read again. */
export async function topupOfEvent(payments: Payments, event: Stripe.Event): Promise<string | null> {
  if (!isTopupEvent(event.type)) return null
  const object = event.data.object as { client_reference_id?: string | null; payment_intent?: unknown }
  if (event.type.startsWith("checkout.session.")) return byReference(object.client_reference_id)
  return byPayment(payments, object.payment_intent)
}
