import { withdrawnBy } from "./dispute"
import { idOf } from "./make-payment"
import type { World } from "./world"

/** Cents, as Stripe has them: what tests compare our own books with. */
export interface Totals {
  /** All that arrived, tax included. */
  paid: number
  /** The part of `paid` that is tax. */
  tax: number
  /** Refunds that did not fail. */
  refunded: number
  /** What disputes have withdrawn and not reinstated. */
  disputed: number
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Sums up all payments with this id: of a payment, a session, a charge or our own `client_reference_id`. */
export function totals(world: World, reference: string): Totals {
  const sessions = world.store.all("checkout.session").filter((session) => {
    const intentId = idOf(session.payment_intent)
    const chargeId = intentId && idOf(world.store.get("payment_intent", intentId).latest_charge)
    return [session.id, session.client_reference_id, intentId, chargeId].includes(reference)
  })
  const paid = sessions.filter(({ payment_status }) => payment_status === "paid")
  const intentIds = new Set(paid.map(({ payment_intent }) => idOf(payment_intent)))
  const isOfThese = (object: { payment_intent: string | { id: string } | null }) =>
    intentIds.has(idOf(object.payment_intent))
  const refunds = world.store.all("refund").filter(isOfThese)
  const disputes = world.store.all("dispute").filter(isOfThese)
  return {
    paid: sum(paid.map(({ amount_total }) => amount_total ?? 0)),
    tax: sum(paid.map(({ total_details }) => total_details?.amount_tax ?? 0)),
    refunded: sum(refunds.map(({ status, amount }) => (status === "failed" || status === "canceled" ? 0 : amount))),
    disputed: sum(disputes.map(withdrawnBy)),
  }
}
