import type Stripe from "stripe"
import type { Draft, World } from "./world"

function taxOf(amount: number, percent: number, isInclusive: boolean): number {
  if (isInclusive) return Math.round(amount - amount / (1 + percent / 100))
  return Math.round((amount * percent) / 100)
}

/** Adds the tax to a session with automatic tax, once it is known where the customer is. */
export function applyTax(world: World, session: Stripe.Checkout.Session, { lineItems }: Draft): void {
  if (!session.automatic_tax.enabled) return
  for (const item of lineItems) {
    const isInclusive = item.price?.tax_behavior === "inclusive"
    item.amount_tax = taxOf(item.amount_subtotal, world.taxPercent, isInclusive)
    item.amount_total = item.amount_subtotal + (isInclusive ? 0 : item.amount_tax)
  }
  const sum = (name: "amount_tax" | "amount_total") => lineItems.reduce((total, item) => total + item[name], 0)
  session.amount_total = sum("amount_total")
  session.total_details = { amount_discount: 0, amount_shipping: 0, amount_tax: sum("amount_tax") }
  session.automatic_tax.status = "complete"
}
