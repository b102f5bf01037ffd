import type Stripe from "stripe"
import { invalid } from "./errors"
import { idOf } from "./make-payment"
import { chargeOf } from "./refund"
import { newId } from "./store"
import { emit, type World } from "./world"

/** Returns the cents that a dispute has withdrawn and not reinstated, without Stripe's fee. */
const withdrawnBy = (dispute: Stripe.Dispute): number =>
  dispute.balance_transactions.reduce((sum, { amount }) => sum - amount, 0)

/** Withdraws these cents, or reinstates them if they are positive. */
const move = (dispute: Stripe.Dispute, amount: number): void =>
  void dispute.balance_transactions.push({ amount } as Stripe.BalanceTransaction)

/**
 * Opens an inquiry about a charge, by default for the part that was not refunded. No money moves until
 * `disputeFundsWithdrawn` turns the inquiry into a chargeback.
 */
export function dispute(world: World, chargeOrIntent: string, options: { amount?: number } = {}): Stripe.Dispute {
  const charge = chargeOf(world, chargeOrIntent)
  const amount = options.amount ?? charge.amount - charge.amount_refunded
  if (!charge.paid || amount < 1 || amount > charge.amount) throw invalid("This much of the charge cannot be disputed.")
  const made = world.store.add("dispute", charge.livemode, {
    id: newId("dp"),
    amount,
    balance_transactions: [],
    charge: charge.id,
    is_charge_refundable: true,
    payment_intent: charge.payment_intent,
    status: "warning_needs_response",
  })
  emit(world, "charge.dispute.created", made)
  return made
}

export function disputeFundsWithdrawn(world: World, disputeId: string): Stripe.Dispute {
  const made = world.store.get("dispute", disputeId)
  if (made.status !== "warning_needs_response") throw invalid("The funds of this dispute were withdrawn already.")
  move(made, -made.amount)
  Object.assign(made, { status: "needs_response", is_charge_refundable: false })
  emit(world, "charge.dispute.funds_withdrawn", made)
  emit(world, "charge.dispute.updated", made)
  return made
}

function underway(world: World, disputeId: string): Stripe.Dispute {
  const made = world.store.get("dispute", disputeId)
  if (made.status !== "needs_response" && made.status !== "under_review")
    throw invalid(`This dispute cannot be decided: its status is \`${made.status}\`.`)
  return made
}

/** The bank decides for the merchant and reinstates the money. An inquiry closes without moving any. */
export function disputeWon(world: World, disputeId: string): Stripe.Dispute {
  const open = world.store.get("dispute", disputeId)
  if (open.status === "warning_needs_response") {
    open.status = "warning_closed"
    emit(world, "charge.dispute.closed", open)
    return open
  }
  const made = underway(world, disputeId)
  move(made, withdrawnBy(made))
  Object.assign(made, { status: "won", is_charge_refundable: true })
  emit(world, "charge.dispute.funds_reinstated", made)
  emit(world, "charge.dispute.closed", made)
  return made
}

export function disputeLost(world: World, disputeId: string): Stripe.Dispute {
  const made = underway(world, disputeId)
  made.status = "lost"
  emit(world, "charge.dispute.closed", made)
  return made
}

export interface Totals {
  /** Everything that was paid, including tax. */
  paid: number
  tax: number
  /** Refunds that did not fail. */
  refunded: number
  /** Withdrawn by disputes and not reinstated. */
  disputed: number
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Returns the succeeded payments without a checkout that a reference belongs to. */
function directIntents(world: World, reference: string): Stripe.PaymentIntent[] {
  const ofSessions = new Set(world.store.all("checkout.session").map(({ payment_intent }) => idOf(payment_intent)))
  return world.store
    .all("payment_intent")
    .filter(
      ({ id, status, latest_charge, metadata }) =>
        status === "succeeded" &&
        !ofSessions.has(id) &&
        [id, idOf(latest_charge), ...Object.values(metadata)].includes(reference),
    )
}

/**
 * Sums all payments of a reference: the id of a payment, a session or a charge, a `client_reference_id`, or a value in the metadata of
 * a payment without a checkout. Amounts are in cents.
 */
export function totals(world: World, reference: string): Totals {
  const sessions = world.store.all("checkout.session").filter((session) => {
    const intentId = idOf(session.payment_intent)
    const chargeId = intentId && idOf(world.store.get("payment_intent", intentId).latest_charge)
    return [session.id, session.client_reference_id, intentId, chargeId].includes(reference)
  })
  const paid = sessions.filter(({ payment_status }) => payment_status === "paid")
  const direct = directIntents(world, reference)
  const intentIds = new Set([...paid.map(({ payment_intent }) => idOf(payment_intent)), ...direct.map(({ id }) => id)])
  const isOfThese = (object: { payment_intent: string | { id: string } | null }) =>
    intentIds.has(idOf(object.payment_intent))
  const refunds = world.store.all("refund").filter(isOfThese)
  const disputes = world.store.all("dispute").filter(isOfThese)
  return {
    paid: sum([
      ...paid.map(({ amount_total }) => amount_total ?? 0),
      ...direct.map((intent) => intent.amount_received),
    ]),
    tax: sum(paid.map(({ total_details }) => total_details?.amount_tax ?? 0)),
    refunded: sum(refunds.map(({ status, amount }) => (status === "failed" || status === "canceled" ? 0 : amount))),
    disputed: sum(disputes.map(withdrawnBy)),
  }
}
