import type Stripe from "stripe"
import { invalid } from "./errors"
import { idOf } from "./make-payment"
import { newId } from "./store"
import { emit, type World } from "./world"

export interface RefundOptions {
  /** In cents. Default: all that is left. */
  amount?: number
  metadata?: Stripe.Metadata
  /** Keeps the refund `pending` until `succeedRefund` or `failRefund`, as for bank accounts. */
  isPending?: boolean
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

export function chargeOf(world: World, chargeOrIntent: string, livemode?: boolean): Stripe.Charge {
  if (!chargeOrIntent.startsWith("pi_")) return world.store.get("charge", chargeOrIntent, { param: "charge", livemode })
  const intent = world.store.get("payment_intent", chargeOrIntent, { param: "payment_intent", livemode })
  if (intent.status !== "succeeded")
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: "payment_intent",
    })
  return world.store.get("charge", idOf(intent.latest_charge) ?? "")
}

function assertRefundable(world: World, charge: Stripe.Charge, amount: number): void {
  const { id } = charge
  const left = charge.amount_captured - charge.amount_refunded
  const isDisputed = world.store
    .all("dispute")
    .some((dispute) => dispute.charge === id && !dispute.is_charge_refundable)
  if (isDisputed)
    throw invalid(`Charge ${id} has been charged back; cannot issue a refund.`, { code: "charge_disputed" })
  if (!charge.paid) throw invalid(`Charge ${id} has not been paid; cannot issue a refund.`)
  if (left === 0) throw invalid(`Charge ${id} has already been refunded.`, { code: "charge_already_refunded" })
  if (amount < 1) throw invalid("Invalid positive integer", { code: "parameter_invalid_integer", param: "amount" })
  if (amount > left)
    throw invalid(`Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`, {
      param: "amount",
    })
}

export function refund(
  world: World,
  chargeOrIntent: string,
  options: RefundOptions = {},
  livemode?: boolean,
): Stripe.Refund {
  const charge = chargeOf(world, chargeOrIntent, livemode)
  const amount = options.amount ?? charge.amount_captured - charge.amount_refunded
  assertRefundable(world, charge, amount)
  const made = world.store.add("refund", charge.livemode, {
    id: newId("re"),
    amount,
    charge: charge.id,
    metadata: options.metadata ?? {},
    payment_intent: charge.payment_intent,
    status: options.isPending ? "pending" : "succeeded",
  })
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  emit(world, "charge.refunded", charge)
  emit(world, "refund.created", made)
  return made
}

const emitUpdated = (world: World, made: Stripe.Refund): void => {
  emit(world, "refund.updated", made)
  emit(world, "charge.refund.updated", made)
}

export function succeedRefund(world: World, refundId: string): Stripe.Refund {
  const made = world.store.get("refund", refundId)
  if (made.status !== "pending") throw invalid(`This refund is not pending: its status is \`${made.status}\`.`)
  made.status = "succeeded"
  emitUpdated(world, made)
  return made
}

/** Fails a refund, also one that had succeeded. The money returns to the merchant. */
export function failRefund(world: World, refundId: string): Stripe.Refund {
  const made = world.store.get("refund", refundId)
  if (made.status === "failed") throw invalid("This refund has failed already.")
  const charge = world.store.get("charge", idOf(made.charge) ?? "")
  made.status = "failed"
  charge.amount_refunded -= made.amount
  charge.refunded = false
  emit(world, "refund.failed", made)
  emitUpdated(world, made)
  return made
}
