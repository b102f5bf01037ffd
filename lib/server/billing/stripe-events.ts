import type Stripe from "stripe"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Payments } from "./payments"
import { reconcileTopup } from "./reconcile-topup"
import { settleCardSession } from "./save-card-session"
import { forgetDetachedCard } from "./saved-card"
import { findTopup } from "./topup"

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The event types that can change a top-up or a saved card. All others are ignored. Stripe lists at most 20 types at once. */
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
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
  "payment_method.detached",
] as const satisfies Stripe.Event.Type[]

const isTopupEvent = (type: string): boolean => (TOPUP_EVENTS as readonly string[]).includes(type)

async function findByReference({ pool }: Runtime, reference: string | null | undefined): Promise<string | null> {
  if (!reference || !UUID.test(reference)) return null
  return (await findTopup(pool, "id", reference))?.id ?? null
}

/**
 * Finds the top-up of a refunded or disputed payment. Its event may arrive before the checkout's event, which stores the
 * payment's id. So an unknown payment is looked up at Stripe.
 */
async function findByPayment(runtime: Runtime, { stripe }: Payments, payment: unknown): Promise<string | null> {
  const id = typeof payment === "string" ? payment : null
  if (!id) return null
  const known = await findTopup(runtime.pool, "paymentIntentId", id)
  if (known) return known.id
  const { data } = await stripe.checkout.sessions.list({ payment_intent: id, limit: 1 })
  return findByReference(runtime, data[0]?.client_reference_id)
}

interface Referring {
  client_reference_id?: string | null
  payment_intent?: unknown
  metadata?: Record<string, string>
}

/** Finds an automatic top-up by the metadata of its payment. The payment of a checkout is settled by the checkout's events. */
async function findAutomatic({ pool }: Runtime, reference: string | undefined): Promise<string | null> {
  if (!reference || !UUID.test(reference)) return null
  const row = await findTopup(pool, "id", reference)
  return row?.isAutomatic ? row.id : null
}

/** Saves the card of a checkout without a payment, or forgets one that was detached at Stripe. Ignores all other events. */
async function settleCardEvent(runtime: Runtime, payments: Payments, event: Stripe.Event): Promise<void> {
  if (event.type === "payment_method.detached") return forgetDetachedCard(runtime, event.data.object.id)
  if (event.type === "checkout.session.completed" && event.data.object.mode === "setup")
    await settleCardSession(runtime, payments, event.data.object.id)
}

/** Returns the id of the top-up that an event is about, or null if it is unknown. Reads only the event's type and references. */
async function topupOfEvent(runtime: Runtime, payments: Payments, event: Stripe.Event): Promise<string | null> {
  if (!isTopupEvent(event.type)) return null
  const object = event.data.object as Referring
  if (event.type.startsWith("payment_method.")) return null
  if (event.type.startsWith("payment_intent.")) return findAutomatic(runtime, object.metadata?.topup)
  if (event.type.startsWith("checkout.session.")) return findByReference(runtime, object.client_reference_id)
  return findByPayment(runtime, payments, object.payment_intent)
}

/**
 * Brings what an event is about to its state at Stripe: a saved card, or a top-up that is not in `settled`, to which it adds the
 * top-up. Rejects when Stripe is unreachable.
 */
export async function settleEvent(
  runtime: Runtime,
  payments: Payments,
  event: Stripe.Event,
  settled: Set<string> = new Set(),
): Promise<void> {
  await settleCardEvent(runtime, payments, event)
  const topupId = await topupOfEvent(runtime, payments, event)
  if (!topupId || settled.has(topupId)) return
  settled.add(topupId)
  await reconcileTopup(runtime, topupId)
}

/** 200: done or ignored. 400: not validly signed. 404: top-ups are off. 500: the service failed and Stripe retries. */
export type EventStatus = 200 | 400 | 404 | 500

/** How far in the future a signature's timestamp may be, in seconds. Stripe's library has this limit for the past only. */
const MAX_AHEAD_SECONDS = 300

const isFromFuture = (signature: string): boolean =>
  [...signature.matchAll(/(?:^|,)t=(\d+)/g)].some(([, at]) => Number(at) > Date.now() / 1_000 + MAX_AHEAD_SECONDS)

function verify({ stripe, webhookSecrets }: Payments, body: Buffer, signature: string): Stripe.Event | null {
  if (isFromFuture(signature)) return null
  for (const secret of webhookSecrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature, secret)
    } catch {
      // Another secret may match while one is being rotated.
    }
  }
  return null
}

/**
 * Handles a webhook of Stripe: the raw body and `stripe-signature`. Amounts are read from Stripe, never from the event. `client` is what
 * limits count as one client: of its refused signatures, further ones of a minute are only counted.
 */
export async function receiveEvent(
  runtime: Runtime,
  body: Buffer,
  signature: string | null,
  client = "",
): Promise<EventStatus> {
  const { payments, log, refusals } = runtime
  if (!payments) return 404
  const event = signature ? verify(payments, body, signature) : null
  if (!event) {
    if (refusals.count(runtime, client))
      log.warn("A webhook was refused: its signature is missing, expired, from the future or wrong", {
        event: "webhook.refused",
      })
    return 400
  }
  if (event.livemode !== payments.livemode) {
    const reason = event.livemode ? "live" : "test"
    log.warn("A webhook of the other Stripe mode was ignored", { event: "webhook.ignored", reason })
    return 200
  }
  try {
    await settleEvent(runtime, payments, event)
    return 200
  } catch (cause) {
    log.error("A webhook failed and Stripe will retry it", { event: "webhook.failed", cause })
    return 500
  }
}
