import type Stripe from "stripe"
import { invalid } from "./errors"
import { makeTransaction } from "./make-payment"
import { chargeOf } from "./refund"
import { example, newId } from "./store"
import { emit, type World } from "./world"

const FEE_CENTS = 1500
const DAYS_TO_ANSWER = 7
const DAY = 86_400

/** What a dispute has taken from us until now and not given back, in cents, without Stripe's fee. */
export const withdrawnBy = (dispute: Stripe.Dispute): number =>
  dispute.balance_transactions.reduce((sum, { amount }) => sum - amount, 0)

function move(world: World, dispute: Stripe.Dispute, amount: number, fee: number): void {
  const { id, livemode } = dispute
  dispute.balance_transactions.push(makeTransaction(world, { amount, fee, type: "adjustment", source: id, livemode }))
}

/**
 * The customer's bank asks about a charge, for all of it that was not refunded or for `amount`. No money has moved yet:
 * `disputeFundsWithdrawn` makes a chargeback of the inquiry.
 */
export function dispute(world: World, chargeOrIntent: string, options: { amount?: number } = {}): Stripe.Dispute {
  const charge = chargeOf(world, chargeOrIntent)
  const amount = options.amount ?? charge.amount - charge.amount_refunded
  if (!charge.paid || amount < 1 || amount > charge.amount) throw invalid("This much of the charge cannot be disputed.")
  const plain = example("dispute")
  const made: Stripe.Dispute = {
    ...plain,
    id: newId("dp"),
    amount,
    charge: charge.id,
    created: world.now(),
    currency: charge.currency,
    evidence_details: { ...plain.evidence_details, due_by: world.now() + DAYS_TO_ANSWER * DAY },
    livemode: charge.livemode,
    payment_intent: charge.payment_intent,
    status: "warning_needs_response",
  }
  charge.disputed = true
  world.store.add("dispute", made, charge.livemode)
  emit(world, "charge.dispute.created", made)
  return made
}

/** The bank takes the money back, and Stripe its fee. */
export function disputeFundsWithdrawn(world: World, disputeId: string): Stripe.Dispute {
  const made = world.store.get("dispute", disputeId)
  if (made.status !== "warning_needs_response") throw invalid("The funds of this dispute were withdrawn already.")
  move(world, made, -made.amount, FEE_CENTS)
  const details = made.payment_method_details
  if (details?.card) details.card.case_type = "chargeback"
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

/** The bank decides for us: the money comes back. An inquiry is closed without any having moved. */
export function disputeWon(world: World, disputeId: string): Stripe.Dispute {
  const open = world.store.get("dispute", disputeId)
  if (open.status === "warning_needs_response") {
    open.status = "warning_closed"
    emit(world, "charge.dispute.closed", open)
    return open
  }
  const made = underway(world, disputeId)
  move(world, made, withdrawnBy(made), 0)
  Object.assign(made, { status: "won", is_charge_refundable: true })
  emit(world, "charge.dispute.funds_reinstated", made)
  emit(world, "charge.dispute.closed", made)
  return made
}

/** The bank decides for the customer: the money stays with them. */
export function disputeLost(world: World, disputeId: string): Stripe.Dispute {
  const made = underway(world, disputeId)
  made.status = "lost"
  emit(world, "charge.dispute.closed", made)
  return made
}
