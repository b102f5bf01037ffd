import type Stripe from "stripe"
import { invalid } from "./errors"
import { makeInvoice } from "./make-invoice"
import { idOf, intentOf, type Method, makeCharge, makeCustomer, refuse, succeed } from "./make-payment"
import { applyTax } from "./make-session"
import { attachCard } from "./saved-card"
import { emit, type World } from "./world"

type Session = Stripe.Checkout.Session

const PAYER = {
  name: "Pretend Payer",
  email: "payer@example.com",
  address: {
    line1: "354 Oyster Point Blvd",
    line2: null,
    city: "South San Francisco",
    state: "CA",
    postal_code: "94080",
    country: "US",
  },
}

function openSession(world: World, sessionId: string): Session {
  const session = world.store.get("checkout.session", sessionId)
  if (session.status !== "open")
    throw invalid(`This Checkout Session is not open: its status is \`${session.status}\`.`)
  return session
}

function collect(world: World, session: Session): void {
  const draft = world.drafts.get(session.id)
  const details = session.customer_details
  const address = details?.address?.country ? details.address : PAYER.address
  session.customer_details = {
    business_name: null,
    individual_name: null,
    phone: null,
    tax_exempt: "none",
    tax_ids: [],
    name: PAYER.name,
    email: details?.email ?? PAYER.email,
    address,
  }
  const customerId = idOf(session.customer)
  if (customerId && draft?.params.customer_update?.address === "auto") {
    Object.assign(world.store.get("customer", customerId), { address })
  }
  if (draft) applyTax(world, session, draft)
}

function guestOrCustomer(world: World, session: Session): void {
  const isWanted = session.customer_creation === "always" || session.invoice_creation?.enabled
  if (session.customer || !isWanted) return
  const { name, email } = session.customer_details ?? PAYER
  session.customer = makeCustomer(world, { name: name ?? PAYER.name, email: email ?? PAYER.email }, session.livemode).id
}

const savesCard = (world: World, { id }: Session): boolean =>
  world.drafts.get(id)?.params.payment_intent_data?.setup_future_usage === "off_session"

function attempt(world: World, session: Session, method: Method, paymentMethod?: string) {
  collect(world, session)
  guestOrCustomer(world, session)
  const intent = intentOf(world, session)
  return { intent, charge: makeCharge(world, session, intent, method, paymentMethod) }
}

function settlePaid(world: World, session: Session): void {
  session.payment_status = "paid"
  if (session.invoice_creation?.enabled) makeInvoice(world, session)
}

export function pay(world: World, sessionId: string): Session {
  const session = openSession(world, sessionId)
  if (session.mode !== "payment") throw invalid("This Checkout Session has nothing to pay.")
  const customer = idOf(session.customer)
  const card =
    savesCard(world, session) && customer ? attachCard(world, { customer, livemode: session.livemode }) : null
  const { intent, charge } = attempt(world, session, "card", card?.id)
  succeed(world, intent, charge)
  Object.assign(session, { status: "complete", url: null })
  settlePaid(world, session)
  emit(world, "checkout.session.completed", session)
  return session
}

/** Declines the card. The session stays open. */
export function fail(world: World, sessionId: string): Session {
  const session = openSession(world, sessionId)
  const { intent, charge } = attempt(world, session, "card")
  refuse(world, intent, charge)
  return session
}

/** Pays from a bank account: the session completes unpaid, and the payment succeeds or fails later. */
export function payLater(world: World, sessionId: string): Session {
  const session = openSession(world, sessionId)
  const { intent, charge } = attempt(world, session, "us_bank_account")
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
