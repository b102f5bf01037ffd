import type Stripe from "stripe"
import { invalid } from "./errors"
import { idOf, intentOf, makeCharge, refuse, succeed } from "./make-payment"
import { applyTax } from "./make-session"
import { attachCard, PAYER_ADDRESS } from "./saved-card"
import { newId } from "./store"
import { emit, type World } from "./world"

type Session = Stripe.Checkout.Session

function openSession(world: World, sessionId: string): Session {
  const session = world.store.get("checkout.session", sessionId)
  if (session.status !== "open")
    throw invalid(`This Checkout Session is not open: its status is \`${session.status}\`.`)
  return session
}

/** Enters the payer's address, which Stripe saves to the customer if the session says so, and adds the tax. */
function collect(world: World, session: Session): void {
  const draft = world.drafts.get(session.id)
  const customer = session.customer ? world.store.get("customer", idOf(session.customer) ?? "") : null
  if (customer && !customer.address?.country && draft?.params.customer_update?.address === "auto")
    customer.address = PAYER_ADDRESS
  if (draft) applyTax(world, session, draft)
}

const savesCard = (world: World, { id }: Session): boolean =>
  world.drafts.get(id)?.params.payment_intent_data?.setup_future_usage === "off_session"

function attempt(world: World, session: Session, paymentMethod?: string) {
  collect(world, session)
  const intent = intentOf(world, session)
  return { intent, charge: makeCharge(world, intent, paymentMethod) }
}

function settlePaid(world: World, session: Session): void {
  session.payment_status = "paid"
  if (!session.invoice_creation?.enabled) return
  const id = newId("in")
  session.invoice = id
  const hosted_invoice_url = `${world.origin}/invoices/${id}`
  const data = world.drafts.get(session.id)?.params.invoice_creation?.invoice_data
  const printed = { description: data?.description ?? null, custom_fields: data?.custom_fields || null }
  const invoice = { id, hosted_invoice_url, status: "paid" as const, ...printed }
  emit(world, "invoice.paid", world.store.add("invoice", session.livemode, invoice))
}

export function pay(world: World, sessionId: string): Session {
  const session = openSession(world, sessionId)
  if (session.mode !== "payment") throw invalid("This Checkout Session has nothing to pay.")
  const customer = idOf(session.customer)
  const card =
    savesCard(world, session) && customer ? attachCard(world, { customer, livemode: session.livemode }) : null
  const { intent, charge } = attempt(world, session, card?.id)
  succeed(world, intent, charge)
  Object.assign(session, { status: "complete", url: null })
  settlePaid(world, session)
  emit(world, "checkout.session.completed", session)
  return session
}

/** Declines the card. The session stays open. */
export function fail(world: World, sessionId: string): Session {
  const session = openSession(world, sessionId)
  const { intent, charge } = attempt(world, session)
  refuse(world, intent, charge)
  return session
}

/** Pays from a bank account: the session completes unpaid, and the payment succeeds or fails later. */
export function payLater(world: World, sessionId: string): Session {
  const session = openSession(world, sessionId)
  const { intent, charge } = attempt(world, session)
  Object.assign(intent, { status: "processing" })
  Object.assign(session, { status: "complete", url: null })
  emit(world, "charge.pending", charge)
  emit(world, "payment_intent.processing", intent)
  emit(world, "checkout.session.completed", session)
  return session
}

export function settleLater(world: World, sessionId: string, outcome: "ok" | "failed"): Session {
  const session = world.store.get("checkout.session", sessionId)
  const intent = world.store.get("payment_intent", idOf(session.payment_intent) ?? "")
  if (intent.status !== "processing") throw invalid("No payment of this Checkout Session is processing.")
  const charge = world.store.get("charge", idOf(intent.latest_charge) ?? "")
  if (outcome === "ok") {
    succeed(world, intent, charge)
    settlePaid(world, session)
    emit(world, "checkout.session.async_payment_succeeded", session)
  } else {
    refuse(world, intent, charge)
    emit(world, "checkout.session.async_payment_failed", session)
  }
  return session
}

export function expire(world: World, sessionId: string): Session {
  const session = world.store.get("checkout.session", sessionId)
  if (session.status !== "open")
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Session has a status of \`${session.status}\`.`,
      { param: "session" },
    )
  Object.assign(session, { status: "expired", url: null })
  emit(world, "checkout.session.expired", session)
  return session
}

/** Expires overdue sessions. Called for every API request and page, so that no timer is needed. */
export function expireOverdue(world: World): void {
  for (const session of world.store.all("checkout.session")) {
    if (session.status === "open" && session.expires_at <= world.now()) expire(world, session.id)
  }
}
