import type Stripe from "stripe"
import { invalid } from "./errors"
import { newId } from "./store"
import { type Draft, SESSION_SECONDS, type World } from "./world"

type Params = Stripe.Checkout.SessionCreateParams
type Session = Stripe.Checkout.Session

const SMALLEST_CENTS = 50
const LARGEST_CENTS = 99_999_999
const MINUTE = 60

function lineItem(item: NonNullable<Params["line_items"]>[number], index: number): Stripe.LineItem {
  const at = `line_items[${index}]`
  const { price_data: price, quantity } = item
  if (!price) throw invalid("You must specify either `price` or `price_data` when using prices.", { param: at })
  if (price.unit_amount === undefined)
    throw invalid(`Missing required param: ${at}[price_data][unit_amount].`, { code: "parameter_missing", param: at })
  if (!quantity) throw invalid("Quantity is required. Add `quantity` to `line_items`", { param: `${at}[quantity]` })
  if (price.unit_amount < 0)
    throw invalid("Invalid non-negative integer", { code: "parameter_invalid_integer", param: at })
  const amount = price.unit_amount * quantity
  return {
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    description: price.product_data?.name ?? null,
  } as Stripe.LineItem
}

function assertTogether(world: World, params: Params, customer: Stripe.Customer | null): void {
  if (params.mode !== "payment")
    throw invalid("The double knows sessions in the modes `payment` and `setup` only.", { param: "mode" })
  if (!params.line_items)
    throw invalid("Missing required param: line_items.", { code: "parameter_missing", param: "line_items" })
  if (!params.success_url)
    throw invalid("Missing required param: success_url.", { code: "parameter_missing", param: "success_url" })
  if (!customer && params.customer_update)
    throw invalid("`customer_update` can only be used with `customer`.", { param: "customer_update" })
  if (
    customer &&
    params.automatic_tax?.enabled &&
    !customer.address?.country &&
    params.customer_update?.address !== "auto"
  )
    throw invalid(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      { code: "customer_tax_location_invalid" },
    )
  if (customer && params.tax_id_collection?.enabled && params.customer_update?.name !== "auto")
    throw invalid(
      "Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.",
    )
  const lifetime = (params.expires_at ?? world.now() + SESSION_SECONDS) - world.now()
  if (lifetime < 30 * MINUTE - 5 || lifetime > SESSION_SECONDS)
    throw invalid(
      "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    )
}

function assertAmount(items: Stripe.LineItem[]): number {
  const cents = items.reduce((sum, { amount_subtotal }) => sum + amount_subtotal, 0)
  if (cents < SMALLEST_CENTS)
    throw invalid("The Checkout Session's total amount due must add up to at least $0.50 usd", {
      code: "amount_too_small",
    })
  if (cents > LARGEST_CENTS)
    throw invalid("The Checkout Session's total amount must be no more than $999,999.99", { code: "amount_too_large" })
  return cents
}

/** Opens a checkout session that is paid on the double's page. Throws Stripe's 400 or 404. */
export function makeSession(world: World, params: Params, livemode: boolean): Session {
  const customer = params.customer
    ? world.store.get("customer", params.customer, { param: "customer", livemode })
    : null
  assertTogether(world, params, customer)
  const lineItems = (params.line_items ?? []).map(lineItem)
  const cents = assertAmount(lineItems)
  const id = newId(livemode ? "cs_live_a1" : "cs_test_a1", 56).replace("_a1_", "_a1")
  const enabled = params.automatic_tax?.enabled ?? false
  const session = world.store.add("checkout.session", livemode, {
    id,
    amount_subtotal: cents,
    amount_total: cents,
    automatic_tax: { enabled, status: enabled ? "requires_location_inputs" : null } as Session["automatic_tax"],
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    currency: params.line_items?.[0]?.price_data?.currency ?? "usd",
    customer: customer?.id ?? null,
    expires_at: params.expires_at ?? world.now() + SESSION_SECONDS,
    invoice: null,
    invoice_creation: { enabled: params.invoice_creation?.enabled ?? false } as Session["invoice_creation"],
    metadata: (params.metadata ?? {}) as Stripe.Metadata,
    mode: "payment",
    payment_intent: null,
    payment_status: "unpaid",
    setup_intent: null,
    status: "open",
    success_url: params.success_url ?? null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: `${world.origin}/c/pay/${id}`,
  })
  const draft: Draft = { params, lineItems }
  world.drafts.set(id, draft)
  if (customer?.address?.country) applyTax(world, session, draft)
  return session
}

/** Adds the tax to a session with automatic tax, once the customer's country is known. */
export function applyTax(world: World, session: Stripe.Checkout.Session, { lineItems }: Draft): void {
  if (!session.automatic_tax.enabled) return
  for (const item of lineItems) {
    item.amount_tax = Math.round((item.amount_subtotal * world.taxPercent) / 100)
    item.amount_total = item.amount_subtotal + item.amount_tax
  }
  const sum = (name: "amount_tax" | "amount_total") => lineItems.reduce((total, item) => total + item[name], 0)
  session.amount_total = sum("amount_total")
  session.total_details = { amount_discount: 0, amount_shipping: 0, amount_tax: sum("amount_tax") }
  session.automatic_tax.status = "complete"
}
