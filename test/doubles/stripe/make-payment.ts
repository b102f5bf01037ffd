import type Stripe from "stripe"
import { example, newId } from "./store"
import { emit, type World } from "./world"

type Session = Stripe.Checkout.Session

/** A card is charged at once. A debit from a bank account takes days. */
export type Method = "card" | "us_bank_account"

const BANK = {
  type: "us_bank_account",
  us_bank_account: { account_type: "checking", bank_name: "STRIPE TEST BANK", fingerprint: null, last4: "6789" },
}
const FEE_RATE = 0.029
const FEE_CENTS = 30

/** Returns the id of an expandable field. The double stores ids only. */
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null)

export function makeTransaction(
  world: World,
  entry: { amount: number; fee: number; type: Stripe.BalanceTransaction["type"]; source: string; livemode: boolean },
): Stripe.BalanceTransaction {
  const { livemode, fee, ...rest } = entry
  const at = { created: world.now(), available_on: world.now() }
  return world.store.add(
    "balance_transaction",
    {
      ...example("balance_transaction"),
      ...rest,
      ...at,
      id: newId("txn"),
      description: null,
      fee,
      net: entry.amount - fee,
      reporting_category: entry.type,
    },
    livemode,
  )
}

/** Returns the session's payment intent. Like Stripe, it creates one at the first attempt to pay. */
export function intentOf(world: World, session: Session): Stripe.PaymentIntent {
  const known = idOf(session.payment_intent)
  const amount = session.amount_total ?? 0
  if (known) return Object.assign(world.store.get("payment_intent", known), { amount })
  const data = world.drafts.get(session.id)?.params.payment_intent_data
  const id = newId("pi")
  const intent: Stripe.PaymentIntent = {
    ...example("payment_intent"),
    id,
    amount,
    automatic_payment_methods: null,
    canceled_at: null,
    client_secret: newId(`${id}_secret`),
    created: world.now(),
    currency: session.currency ?? "usd",
    customer: session.customer,
    description: data?.description ?? null,
    last_payment_error: null,
    livemode: session.livemode,
    managed_payments: null,
    metadata: (data?.metadata ?? {}) as Stripe.Metadata,
    next_action: null,
    payment_method_configuration_details: null,
    processing: null,
    receipt_email: data?.receipt_email ?? null,
    shipping: null,
    statement_descriptor: data?.statement_descriptor ?? null,
    statement_descriptor_suffix: data?.statement_descriptor_suffix ?? null,
    transfer_data: null,
  }
  session.payment_intent = id
  world.store.add("payment_intent", intent, session.livemode)
  emit(world, "payment_intent.created", intent)
  return intent
}

export function makeCharge(
  world: World,
  session: Pick<Session, "customer_details" | "livemode">,
  intent: Stripe.PaymentIntent,
  method: Method,
  paymentMethod = newId("pm"),
): Stripe.Charge {
  const id = newId(method === "card" ? "ch" : "py")
  const card = example("charge")
  const { address = null, email = null, name = null } = session.customer_details ?? {}
  const charge: Stripe.Charge = {
    ...card,
    id,
    amount: intent.amount,
    balance_transaction: null,
    billing_details: { ...card.billing_details, address, email, name } as Stripe.Charge["billing_details"],
    created: world.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    livemode: session.livemode,
    metadata: { ...intent.metadata },
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: (method === "card"
      ? card.payment_method_details
      : BANK) as Stripe.Charge["payment_method_details"],
    receipt_email: intent.receipt_email,
    receipt_url: null,
    refunds: undefined,
    shipping: null,
    source: null,
    status: "pending",
    transfer_data: null,
  }
  intent.latest_charge = id
  intent.payment_method = charge.payment_method
  return world.store.add("charge", charge, session.livemode)
}

export function succeed(world: World, intent: Stripe.PaymentIntent, charge: Stripe.Charge): void {
  const { amount, livemode } = charge
  const fee = Math.round(amount * FEE_RATE) + FEE_CENTS
  const transaction = makeTransaction(world, { amount, fee, type: "charge", source: charge.id, livemode })
  Object.assign(charge, {
    amount_captured: amount,
    balance_transaction: transaction.id,
    captured: true,
    outcome: {
      ...example("charge").outcome,
      network_status: "approved_by_network",
      seller_message: "Payment complete.",
      type: "authorized",
    },
    paid: true,
    receipt_url: `${world.origin}/receipts/${charge.id}`,
    status: "succeeded",
  })
  Object.assign(intent, { amount_received: amount, last_payment_error: null, processing: null, status: "succeeded" })
  emit(world, "charge.succeeded", charge)
  emit(world, "payment_intent.succeeded", intent)
}

export interface Refusal {
  code: string
  decline_code: string
  message: string
}

const DECLINED: Refusal = {
  code: "card_declined",
  decline_code: "generic_decline",
  message: "Your card was declined.",
}

/** Fails a charge. The payment waits for another payment method. */
export function refuse(
  world: World,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
  { code, decline_code, message }: Refusal = DECLINED,
): void {
  Object.assign(charge, {
    failure_code: code,
    failure_message: message,
    outcome: {
      ...example("charge").outcome,
      network_status: "declined_by_network",
      reason: decline_code,
      type: "issuer_declined",
    },
    status: "failed",
  })
  Object.assign(intent, {
    last_payment_error: { type: "card_error", code, decline_code, message, charge: charge.id },
    payment_method: null,
    processing: null,
    status: "requires_payment_method",
  })
  emit(world, "charge.failed", charge)
  emit(world, "payment_intent.payment_failed", intent)
}

export function makeCustomer(world: World, params: Stripe.CustomerCreateParams, livemode: boolean): Stripe.Customer {
  const none = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
  const address = params.address ? { ...none, ...(params.address as Partial<Stripe.Address>) } : null
  const customer: Stripe.Customer = {
    ...example("customer"),
    id: newId("cus", 14),
    address,
    created: world.now(),
    currency: null,
    description: params.description ?? null,
    discount: null,
    email: params.email ?? null,
    livemode,
    metadata: (params.metadata ?? {}) as Stripe.Metadata,
    name: params.name ?? null,
    phone: params.phone ?? null,
    shipping: null,
  }
  world.store.add("customer", customer, livemode)
  emit(world, "customer.created", customer)
  return customer
}
