import type Stripe from "stripe"
import { newId } from "./store"
import { emit, type World } from "./world"

type Session = Stripe.Checkout.Session

/** Returns the id of an expandable field. The double stores ids only. */
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null)

type IntentFields = "amount" | "currency" | "customer" | "metadata" | "payment_method" | "status"

export function addIntent(
  world: World,
  livemode: boolean,
  fields: Pick<Stripe.PaymentIntent, IntentFields>,
): Stripe.PaymentIntent {
  const intent = world.store.add("payment_intent", livemode, {
    id: newId("pi"),
    amount_received: 0,
    last_payment_error: null,
    latest_charge: null,
    ...fields,
  })
  emit(world, "payment_intent.created", intent)
  return intent
}

/** Returns the session's payment intent. Like Stripe, it creates one at the first attempt to pay. */
export function intentOf(world: World, session: Session): Stripe.PaymentIntent {
  const known = idOf(session.payment_intent)
  const amount = session.amount_total ?? 0
  if (known) return Object.assign(world.store.get("payment_intent", known), { amount })
  const intent = addIntent(world, session.livemode, {
    amount,
    currency: session.currency ?? "usd",
    customer: session.customer as string | null,
    metadata: (world.drafts.get(session.id)?.params.payment_intent_data?.metadata ?? {}) as Stripe.Metadata,
    payment_method: null,
    status: "requires_payment_method",
  })
  session.payment_intent = intent.id
  return intent
}

export function makeCharge(world: World, intent: Stripe.PaymentIntent, paymentMethod = newId("pm")): Stripe.Charge {
  const { amount, livemode, metadata } = intent
  const charge = world.store.add("charge", livemode, {
    id: newId("ch"),
    amount,
    amount_captured: 0,
    amount_refunded: 0,
    metadata: { ...metadata },
    paid: false,
    payment_intent: intent.id,
    receipt_url: null,
    refunded: false,
    status: "pending",
  })
  intent.latest_charge = charge.id
  intent.payment_method = paymentMethod
  return charge
}

export function succeed(world: World, intent: Stripe.PaymentIntent, charge: Stripe.Charge): void {
  const { amount, id } = charge
  const receipt_url = `${world.origin}/receipts/${id}`
  Object.assign(charge, { amount_captured: amount, paid: true, receipt_url, status: "succeeded" })
  Object.assign(intent, { amount_received: amount, last_payment_error: null, status: "succeeded" })
  emit(world, "charge.succeeded", charge)
  emit(world, "payment_intent.succeeded", intent)
}

export interface Refusal {
  code: string
  decline_code: string
  message: string
}

export const DECLINED: Refusal = {
  code: "card_declined",
  decline_code: "generic_decline",
  message: "Your card was declined.",
}

/** Fails a charge. The payment waits for another payment method. */
export function refuse(
  world: World,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
  refusal: Refusal = DECLINED,
): void {
  charge.status = "failed"
  Object.assign(intent, {
    last_payment_error: { type: "card_error", ...refusal, charge: charge.id },
    payment_method: null,
    status: "requires_payment_method",
  })
  emit(world, "charge.failed", charge)
  emit(world, "payment_intent.payment_failed", intent)
}

const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }

/** Returns the address that Stripe makes of the given parts. */
export const wholeAddress = (parts: object): Stripe.Address => ({ ...NO_ADDRESS, ...parts }) as Stripe.Address

export function makeCustomer(world: World, params: Stripe.CustomerCreateParams, livemode: boolean): Stripe.Customer {
  const customer = world.store.add("customer", livemode, {
    id: newId("cus", 14),
    address: params.address ? wholeAddress(params.address) : null,
    email: params.email ?? null,
    metadata: (params.metadata ?? {}) as Stripe.Metadata,
  })
  emit(world, "customer.created", customer)
  return customer
}
