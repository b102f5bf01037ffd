import type Stripe from "stripe"
import { invalid } from "./errors"
import { newId } from "./store"
import { type CardOutcome, emit, SESSION_SECONDS, type World } from "./world"

type Params = Stripe.Checkout.SessionCreateParams
type Session = Stripe.Checkout.Session

/** The last digits of Stripe's test cards that work, are declined later, and always ask for authentication. */
const LAST4: Record<CardOutcome, string> = { ok: "4242", declined: "0341", authentication_required: "3184" }

/** The address that every payer enters. */
export const PAYER_ADDRESS: Stripe.Address = {
  line1: "354 Oyster Point Blvd",
  line2: null,
  city: "South San Francisco",
  state: "CA",
  postal_code: "94080",
  country: "US",
}

/** Creates a card of a customer that can be charged later. */
export function attachCard(
  world: World,
  { customer, livemode, outcome = "ok" }: { customer: string; livemode: boolean; outcome?: CardOutcome },
): Stripe.PaymentMethod {
  const card = { brand: "visa", exp_month: 8, exp_year: 2030, last4: LAST4[outcome] } as Stripe.PaymentMethod.Card
  const billing = { address: PAYER_ADDRESS } as Stripe.PaymentMethod.BillingDetails
  const method = world.store.add("payment_method", livemode, {
    id: newId("pm"),
    billing_details: billing,
    card,
    customer,
  })
  world.cards.set(method.id, outcome)
  emit(world, "payment_method.attached", method)
  return method
}

export function detachCard(world: World, id: string): Stripe.PaymentMethod {
  const method = world.store.get("payment_method", id)
  if (!method.customer)
    throw invalid("The payment method you provided is not attached to a customer so detachment is impossible.", {
      param: "payment_method",
    })
  method.customer = null
  emit(world, "payment_method.detached", method)
  return method
}

function makeSetupIntent(world: World, customer: string, livemode: boolean): Stripe.SetupIntent {
  const intent = world.store.add("setup_intent", livemode, {
    id: newId("seti"),
    customer,
    payment_method: null,
    status: "requires_payment_method",
  })
  emit(world, "setup_intent.created", intent)
  return intent
}

function assertSetup(params: Params): void {
  if (params.line_items) throw invalid("You can not pass `line_items` in `setup` mode.", { param: "line_items" })
  const besides = (["payment_intent_data", "invoice_creation", "automatic_tax"] as const).find(
    (name) => params[name] !== undefined,
  )
  if (besides) throw invalid(`You can not pass \`${besides}\` in \`setup\` mode.`, { param: besides })
  if (!params.allowed_payment_method_types)
    throw invalid("Missing required param: currency.", { code: "parameter_missing", param: "currency" })
  if (!params.success_url)
    throw invalid("Missing required param: success_url.", { code: "parameter_missing", param: "success_url" })
}

/** Opens a checkout session that saves a card without a payment. Throws Stripe's 400 or 404. */
export function makeSetupSession(world: World, params: Params, livemode: boolean): Session {
  assertSetup(params)
  const customer = world.store.get("customer", params.customer ?? "", { param: "customer", livemode })
  const id = newId(livemode ? "cs_live_c1" : "cs_test_c1", 56).replace("_c1_", "_c1")
  return world.store.add("checkout.session", livemode, {
    id,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: null,
    customer: customer.id,
    expires_at: world.now() + SESSION_SECONDS,
    metadata: (params.metadata ?? {}) as Stripe.Metadata,
    mode: "setup",
    payment_intent: null,
    payment_status: "no_payment_required",
    setup_intent: makeSetupIntent(world, customer.id, livemode).id,
    status: "open",
    success_url: params.success_url ?? null,
    url: `${world.origin}/c/pay/${id}`,
  })
}

/** Enters a card at a checkout in `setup` mode, which completes it. */
export function saveCard(world: World, sessionId: string, outcome: CardOutcome = "ok"): Stripe.PaymentMethod {
  const session = world.store.get("checkout.session", sessionId)
  if (session.mode !== "setup" || session.status !== "open")
    throw invalid(`This Checkout Session saves no card now: its status is \`${session.status}\`.`)
  const { livemode } = session
  const method = attachCard(world, { customer: String(session.customer), livemode, outcome })
  const intent = world.store.get("setup_intent", String(session.setup_intent))
  Object.assign(intent, { payment_method: method.id, status: "succeeded" })
  Object.assign(session, { status: "complete", url: null })
  emit(world, "setup_intent.succeeded", intent)
  emit(world, "checkout.session.completed", session)
  return method
}
