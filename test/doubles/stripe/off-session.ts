import type Stripe from "stripe"
import { invalid, StripeRefusal } from "./errors"
import { addIntent, DECLINED, idOf, makeCharge, type Refusal, refuse, succeed } from "./make-payment"
import { newId } from "./store"
import { emit, type World } from "./world"

export type CreateParams = Stripe.PaymentIntentCreateParams

const SMALLEST_CENTS = 50

const REFUSALS: Record<"declined" | "authentication_required", Refusal> = {
  declined: DECLINED,
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

/** Creates a payment without a checkout. Nothing is charged yet. Throws Stripe's 400 or 404. */
export function makeIntent(world: World, params: CreateParams, livemode: boolean): Stripe.PaymentIntent {
  const { amount, currency, customer = null, payment_method: method = null, hooks } = params
  if (amount < SMALLEST_CENTS)
    throw invalid("Amount must be at least $0.50 usd", { code: "amount_too_small", param: "amount" })
  if (customer) world.store.get("customer", customer, { param: "customer", livemode })
  if (method) assertAttached(world, method, customer)
  const calculation = hooks?.inputs?.tax?.calculation
  if (calculation)
    world.store.get("tax.calculation", calculation, { param: "hooks[inputs][tax][calculation]", livemode })
  return addIntent(world, livemode, {
    amount,
    currency,
    customer,
    payment_method: method,
    metadata: (params.metadata ?? {}) as Stripe.Metadata,
    status: method ? "requires_confirmation" : "requires_payment_method",
  })
}

const unexpected = (intent: Stripe.PaymentIntent, verb: string): StripeRefusal =>
  new StripeRefusal(400, {
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message: `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: intent,
  })

/** Tries to charge the card. A refused card is Stripe's 402, after which the payment waits for another card. */
export function confirmIntent(world: World, id: string): Stripe.PaymentIntent {
  const intent = world.store.get("payment_intent", id)
  if (intent.status !== "requires_confirmation") throw unexpected(intent, "confirm")
  const card = idOf(intent.payment_method) ?? ""
  assertAttached(world, card, idOf(intent.customer))
  const charge = makeCharge(world, intent, card)
  const outcome = world.cards.get(card) ?? "ok"
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
    payment_method: world.store.get("payment_method", card),
  })
}

export function cancelIntent(world: World, id: string): Stripe.PaymentIntent {
  const intent = world.store.get("payment_intent", id)
  if (intent.status === "succeeded" || intent.status === "canceled" || intent.status === "processing")
    throw unexpected(intent, "cancel")
  intent.status = "canceled"
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
  return world.store.add("tax.calculation", livemode, { id: newId("taxcalc"), amount_total: subtotal + tax })
}
