import type { Shape } from "./form"

const text = (max?: number): Shape => ({ kind: "text", max })
const oneOf = (...values: string[]): Shape => ({ kind: "oneOf", values })
const list = (of: Shape, max?: number): Shape => ({ kind: "list", of, max })
const object = (fields: Record<string, Shape>, needs: string[] = []): Shape => ({ kind: "object", fields, needs })

const integer: Shape = { kind: "integer" }
const boolean: Shape = { kind: "boolean" }
const url: Shape = { kind: "url" }
const metadata: Shape = { kind: "metadata" }
const expand = list(text())
const switchable = object({ enabled: boolean }, ["enabled"])

const address = object(
  Object.fromEntries(["city", "country", "line1", "line2", "postal_code", "state"].map((name) => [name, text()])),
)

const priceData = object(
  {
    currency: text(3),
    unit_amount: integer,
    tax_behavior: oneOf("exclusive", "inclusive", "unspecified"),
    product_data: object({ name: text(), description: text(), tax_code: text(), metadata, images: list(url, 8) }, [
      "name",
    ]),
  },
  ["currency"],
)

const invoiceData = object({
  description: text(1500),
  footer: text(),
  metadata,
  custom_fields: list(object({ name: text(40), value: text(140) }, ["name", "value"]), 4),
})

const futureUsage = oneOf("off_session", "on_session")
const methodTypes = list(oneOf("card", "us_bank_account", "link"))

const paymentIntentData = object({
  setup_future_usage: futureUsage,
  description: text(1000),
  metadata,
  receipt_email: text(800),
  statement_descriptor: text(22),
  statement_descriptor_suffix: text(22),
})

const message = object({ message: text(1200) }, ["message"])

/** `POST /v1/checkout/sessions` in the modes `payment` and `setup`: the parameters that a top-up or a saved card can need. */
export const createSession = object({
  mode: oneOf("payment", "setup", "subscription"),
  line_items: list(object({ price_data: priceData, quantity: integer, metadata }), 100),
  client_reference_id: text(200),
  customer: text(),
  customer_creation: oneOf("always", "if_required"),
  customer_email: text(800),
  customer_update: object({
    address: oneOf("auto", "never"),
    name: oneOf("auto", "never"),
    shipping: oneOf("auto", "never"),
  }),
  invoice_creation: object({ enabled: boolean, invoice_data: invoiceData }, ["enabled"]),
  automatic_tax: switchable,
  tax_id_collection: object({ enabled: boolean, required: oneOf("if_supported", "never") }, ["enabled"]),
  billing_address_collection: oneOf("auto", "required"),
  payment_intent_data: paymentIntentData,
  custom_text: object({ submit: message, after_submit: message, terms_of_service_acceptance: message }),
  adaptive_pricing: object({ enabled: boolean }),
  allow_promotion_codes: boolean,
  submit_type: oneOf("auto", "book", "donate", "pay", "subscribe"),
  ui_mode: oneOf("hosted_page", "embedded_page", "elements", "form"),
  locale: text(),
  metadata,
  success_url: url,
  cancel_url: url,
  expires_at: integer,
  allowed_payment_method_types: methodTypes,
  currency: text(3),
  expand,
})

export const createCustomer = object({
  email: text(512),
  name: text(256),
  description: text(),
  phone: text(),
  address,
  metadata,
  expand,
})

export const updateCustomer = object({ address, metadata, expand })

/** `POST /v1/payment_intents`: the parameters that a charge of a saved card can need. */
export const createIntent = object(
  {
    amount: integer,
    currency: text(3),
    customer: text(),
    payment_method: text(),
    allowed_payment_method_types: methodTypes,
    confirm: boolean,
    off_session: boolean,
    description: text(1000),
    hooks: object({ inputs: object({ tax: object({ calculation: text() }, ["calculation"]) }) }),
    metadata,
    expand,
  },
  ["amount", "currency"],
)

export const confirmIntent = object({ off_session: boolean, payment_method: text(), expand })

export const cancelIntent = object({
  cancellation_reason: oneOf("abandoned", "duplicate", "fraudulent", "requested_by_customer"),
  expand,
})

const taxedItem = object(
  {
    amount: integer,
    quantity: integer,
    reference: text(),
    tax_behavior: oneOf("exclusive", "inclusive"),
    tax_code: text(),
  },
  ["amount"],
)

export const createCalculation = object(
  { currency: text(3), customer: text(), line_items: list(taxedItem, 100), expand },
  ["currency", "line_items"],
)

export const createRefund = object({
  charge: text(),
  payment_intent: text(),
  amount: integer,
  reason: oneOf("duplicate", "fraudulent", "requested_by_customer"),
  metadata,
  expand,
})

export const retrieval = object({ expand })

const listing = (filters: Record<string, Shape>): Shape =>
  object({
    limit: integer,
    starting_after: text(),
    ending_before: text(),
    created: { kind: "range" },
    expand,
    ...filters,
  })

export const lists = {
  "checkout.session": listing({
    customer: text(),
    payment_intent: text(),
    status: oneOf("complete", "expired", "open"),
    customer_details: object({ email: text() }, ["email"]),
  }),
  customer: listing({ email: text() }),
  payment_intent: listing({ customer: text() }),
  charge: listing({ customer: text(), payment_intent: text() }),
  refund: listing({ charge: text(), payment_intent: text() }),
  dispute: listing({ charge: text(), payment_intent: text() }),
  invoice: listing({ customer: text(), status: oneOf("draft", "open", "paid", "uncollectible", "void") }),
  event: listing({ type: text(), types: list(text(), 20), delivery_success: boolean }),
}
