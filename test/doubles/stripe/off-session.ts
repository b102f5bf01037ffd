import type Stripe from "stripe"
import { invalid, StripeRefusal } from "./errors"
import { idOf, makeCharge, type Refusal, refuse, succeed } from "./make-payment"
import { example, type Kinds, newId } from "./store"
import { emit, type World } from "./world"

export type CreateParams = Stripe.PaymentIntentCreateParams

const SMALLEST_CENTS = 50

const REFUSALS: Record<"declined" | "authentication_required", Refusal> = {
  declined: { code: "card_declined", decline_code: "generic_decline", message: "Your card was declined." },
  authentication_required: {
    code: "authentication_required",
    decline_code: "authentication_required",
    message: "Your card was declined. This transaction requires authentication.",
  },
}

/** Throws Stripe's 404 for an unknown card, and its 400 for one that was detached or belongs to another customer. */
function assertAttached(world: World, id: string, customer: string | null): void {
  const method = world.store.get("payment_method", id, { param: "payment_method" })
  if (!method.customer)
    throw invalid(
      "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.",
    )
  if (idOf(method.customer) !== customer)
    throw invalid(
      `The PaymentMethod ${id} does not belong to the Customer that you supplied. Please use a payment method that belongs to this Customer.`,
    )
}

/** Creates a payment without a checkout. Unless `confirm` is set, nothing is charged yet. Throws Stripe's 400, 402 or 404. */
export function makeIntent(world: World, params: CreateParams, livemode: boolean): Stripe.PaymentIntent {
  const { amount, currency, customer = null, payment_method: method = null, hooks } = params
  if (amount < SMALLEST_CENTS)
    throw invalid("Amount must be at least $0.50 usd", { code: "amount_too_small", param: "amount" })
  if (params.off_session && !params.confirm)
    throw invalid("`off_session` can only be used with `confirm=true`.", { param: "off_session" })
  if (customer) world.store.get("customer", customer, { param: "customer", livemode })
  if (method) assertAttached(world, method, customer)
  const calculation = hooks?.inputs?.tax?.calculation
  if (calculation)
    world.store.get("tax.calculation", calculation, { param: "hooks[inputs][tax][calculation]", livemode })
  const id = newId("pi")
  const intent: Stripe.PaymentIntent = {
    ...example("payment_intent"),
    id,
    amount,
    automatic_payment_methods: null,
    canceled_at: null,
    client_secret: newId(`${id}_secret`),
    created: world.now(),
    currency,
    customer,
    description: params.description ?? null,
    last_payment_error: null,
    livemode,
    managed_payments: null,
    metadata: (params.metadata ?? {}) as Stripe.Metadata,
    next_action: null,
    payment_method: method,
    payment_method_configuration_details: null,
    processing: null,
    shipping: null,
    status: method ? "requires_confirmation" : "requires_payment_method",
    transfer_data: null,
  }
  world.store.add("payment_intent", intent, livemode)
  emit(world, "payment_intent.created", intent)
  return params.confirm ? confirmIntent(world, id, params) : intent
}

const unexpected = (intent: Stripe.PaymentIntent, verb: string): StripeRefusal =>
  new StripeRefusal(400, {
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message: `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: intent,
  })

/** Tries to charge the card. A refused card is Stripe's 402, after which the payment waits for another card. */
export function confirmIntent(
  world: World,
  id: string,
  { payment_method: method }: { payment_method?: string; off_session?: unknown },
): Stripe.PaymentIntent {
  const intent = world.store.get("payment_intent", id)
  const card = method ?? idOf(intent.payment_method)
  if (intent.status === "requires_payment_method" && !method)
    throw invalid("You cannot confirm this PaymentIntent because it's missing a payment method.", {
      code: "payment_intent_unexpected_state",
    })
  if (intent.status !== "requires_confirmation" && intent.status !== "requires_payment_method")
    throw unexpected(intent, "confirm")
  assertAttached(world, card ?? "", idOf(intent.customer))
  const { livemode } = intent
  const charge = makeCharge(world, { customer_details: null, livemode }, intent, "card", card ?? undefined)
  const outcome = world.cards.get(card ?? "") ?? "ok"
  if (outcome === "ok") {
    succeed(world, intent, charge)
    return intent
  }
  refuse(world, intent, charge, REFUSALS[outcome])
  throw new StripeRefusal(402, {
    type: "card_error",
    ...REFUSALS[outcome],
    charge: charge.id,
    payment_intent: structuredClone(intent),
    payment_method: world.store.get("payment_method", card ?? ""),
  })
}

export function cancelIntent(
  world: World,
  id: string,
  { cancellation_reason: reason }: Stripe.PaymentIntentCancelParams,
): Stripe.PaymentIntent {
  const intent = world.store.get("payment_intent", id)
  if (intent.status === "succeeded" || intent.status === "canceled" || intent.status === "processing")
    throw unexpected(intent, "cancel")
  Object.assign(intent, { status: "canceled", canceled_at: world.now(), cancellation_reason: reason ?? null })
  emit(world, "payment_intent.canceled", intent)
  return intent
}

/** Calculates the tax of a payment without a checkout. Throws Stripe's 404, or its 400 for a customer whose country is unknown. */
export function calculateTax(
  world: World,
  params: Stripe.Tax.CalculationCreateParams,
  livemode: boolean,
): Stripe.Tax.Calculation {
  const customer = world.store.get("customer", params.customer ?? "", { param: "customer", livemode })
  if (!customer.address?.country)
    throw invalid("The customer's location isn't recognized. Set a valid customer address in order to calculate tax.", {
      code: "customer_tax_location_invalid",
    })
  const subtotal = params.line_items.reduce((total, { amount }) => total + amount, 0)
  const tax = Math.round((subtotal * world.taxPercent) / 100)
  const calculation = {
    id: newId("taxcalc"),
    object: "tax.calculation",
    amount_total: subtotal + tax,
    created: world.now(),
    currency: params.currency,
    customer: customer.id,
    expires_at: world.now() + 90 * 86_400,
    livemode,
    tax_amount_exclusive: tax,
    tax_amount_inclusive: 0,
    tax_date: world.now(),
  } as unknown as Kinds["tax.calculation"]
  return world.store.add("tax.calculation", calculation, livemode)
}
