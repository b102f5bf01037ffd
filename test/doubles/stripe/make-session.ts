import type Stripe from "stripe"
import { invalid } from "./errors"
import { example, newId } from "./store"
import type { Draft, World } from "./world"

type Params = Stripe.Checkout.SessionCreateParams
type Session = Stripe.Checkout.Session

const SMALLEST_CENTS = 50
const LARGEST_CENTS = 99_999_999
const MINUTE = 60
const DAY = 86_400

/** Fields of Stripe's example that a plain payment leaves empty. */
const NONE = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  managed_payments: null,
  payment_method_configuration_details: null,
  saved_payment_method_options: null,
  shipping_address_collection: null,
  shipping_cost: null,
} satisfies Partial<Session>

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
    id: newId("li"),
    object: "item",
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: price.product_data?.name ?? null,
    metadata: null,
    price: {
      id: newId("price"),
      object: "price",
      unit_amount: price.unit_amount,
      tax_behavior: price.tax_behavior ?? "unspecified",
    },
    quantity,
  } as Stripe.LineItem
}

function assertTogether(world: World, params: Params, customer: Stripe.Customer | null): void {
  if (params.mode !== "payment")
    throw invalid("The double knows sessions in the modes `payment` and `setup` only.", { param: "mode" })
  if (!params.line_items)
    throw invalid("Missing required param: line_items.", { code: "parameter_missing", param: "line_items" })
  if ((params.ui_mode ?? "hosted_page") !== "hosted_page")
    throw invalid("The double knows the hosted page only.", { param: "ui_mode" })
  if (!params.success_url)
    throw invalid("Missing required param: success_url.", { code: "parameter_missing", param: "success_url" })
  const besides =
    customer && (params.customer_creation ? "customer_creation" : params.customer_email ? "customer_email" : null)
  if (besides)
    throw invalid(`You may only specify one of these parameters: customer, ${besides}.`, { param: "customer" })
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
  const lifetime = (params.expires_at ?? world.now() + DAY) - world.now()
  if (lifetime < 30 * MINUTE - 5 || lifetime > DAY)
    throw invalid(
      "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    )
}

function assertAmount(items: Stripe.LineItem[]): number {
  const cents = items.reduce((sum, { amount_subtotal }) => sum + amount_subtotal, 0)
  if (new Set(items.map(({ currency }) => currency)).size > 1)
    throw invalid("All prices on a Checkout Session must have the same `currency`.", { param: "line_items" })
  if (cents < SMALLEST_CENTS)
    throw invalid("The Checkout Session's total amount due must add up to at least $0.50 usd", {
      code: "amount_too_small",
    })
  if (cents > LARGEST_CENTS)
    throw invalid("The Checkout Session's total amount must be no more than $999,999.99", { code: "amount_too_large" })
  return cents
}

function detailsOf(customer: Stripe.Customer | null, email: string | undefined): Session["customer_details"] {
  const known = customer?.email ?? email
  if (!known) return null
  const address = customer?.address ?? null
  return { ...example("checkout.session").customer_details, email: known, address } as Session["customer_details"]
}

function invoiceCreation({ enabled = false, invoice_data }: Partial<NonNullable<Params["invoice_creation"]>>) {
  const { invoice_data: none } = example("checkout.session").invoice_creation ?? {}
  return {
    enabled,
    invoice_data: { ...none, issuer: null, rendering_options: null, ...invoice_data },
  } as Session["invoice_creation"]
}

const echoed = (params: Params) => ({
  allow_promotion_codes: params.allow_promotion_codes ?? null,
  billing_address_collection: params.billing_address_collection ?? null,
  cancel_url: params.cancel_url ?? null,
  client_reference_id: params.client_reference_id ?? null,
  customer_email: params.customer_email ?? null,
  invoice_creation: invoiceCreation(params.invoice_creation ?? {}),
  locale: params.locale ?? null,
  metadata: (params.metadata ?? {}) as Stripe.Metadata,
  submit_type: params.submit_type ?? null,
  tax_id_collection: { enabled: params.tax_id_collection?.enabled ?? false, required: "never" },
})

/** Opens a checkout session that is paid on the double's page. Throws Stripe's 400 or 404. */
export function makeSession(world: World, params: Params, livemode: boolean): Session {
  const customer = params.customer
    ? world.store.get("customer", params.customer, { param: "customer", livemode })
    : null
  assertTogether(world, params, customer)
  const lineItems = (params.line_items ?? []).map(lineItem)
  const cents = assertAmount(lineItems)
  const id = newId(livemode ? "cs_live_a1" : "cs_test_a1", 56).replace("_a1_", "_a1")
  const isTaxed = params.automatic_tax?.enabled ?? false
  const session: Session = {
    ...example("checkout.session"),
    ...NONE,
    ...echoed(params),
    id,
    livemode,
    amount_subtotal: cents,
    amount_total: cents,
    automatic_tax: {
      enabled: isTaxed,
      liability: isTaxed ? { type: "self" } : null,
      provider: isTaxed ? "stripe" : null,
      status: isTaxed ? "requires_location_inputs" : null,
    },
    created: world.now(),
    currency: lineItems[0]?.currency ?? "usd",
    customer: customer?.id ?? null,
    customer_creation: customer ? null : (params.customer_creation ?? "if_required"),
    customer_details: detailsOf(customer, params.customer_email),
    expires_at: params.expires_at ?? world.now() + DAY,
    invoice: null,
    payment_intent: null,
    success_url: params.success_url ?? null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${world.origin}/c/pay/${id}`,
  }
  const draft: Draft = { params, lineItems }
  world.drafts.set(id, draft)
  world.store.add("checkout.session", session, livemode)
  if (customer?.address?.country) applyTax(world, session, draft)
  return session
}

function taxOf(amount: number, percent: number, isInclusive: boolean): number {
  if (isInclusive) return Math.round(amount - amount / (1 + percent / 100))
  return Math.round((amount * percent) / 100)
}

/** Adds the tax to a session with automatic tax, once the customer's country is known. */
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
