import type { Shape } from "./form"

const text = (max?: number): Shape => ({ kind: "text", max })
const oneOf = (...values: string[]): Shape => ({ kind: "oneOf", values })
const list = (of: Shape, max?: number): Shape => ({ kind: "list", of, max })
const object = (fields: Record<string, Shape>, needs: string[] = []): Shape => ({ kind: "object", fields, needs })

const integer: Shape = { kind: "integer" }
const boolean: Shape = { kind: "boolean" }
const url: Shape = { kind: "url" }
const metadata: Shape = { kind: "metadata" }
const switchable = object({ enabled: boolean }, ["enabled"])

const invoiceData = object({
  description: text(1500),
  custom_fields: list(object({ name: text(40), value: text(140) }, ["name", "value"]), 4),
})

const address = object(
  Object.fromEntries(["city", "country", "line1", "line2", "postal_code", "state"].map((name) => [name, text()])),
)

const priceData = object(
  {
    currency: text(3),
    unit_amount: integer,
    tax_behavior: oneOf("exclusive"),
    product_data: object({ name: text() }, ["name"]),
  },
  ["currency"],
)

const methodTypes = list(oneOf("card", "us_bank_account", "link"))
const update = oneOf("auto", "never")

/** `POST /v1/checkout/sessions` in the modes `payment` and `setup`. Here and below: the parameters that the service sends. */
export const createSession = object({
  mode: oneOf("payment", "setup", "subscription"),
  line_items: list(object({ price_data: priceData, quantity: integer }), 100),
  client_reference_id: text(200),
  customer: text(),
  customer_update: object({ address: update, name: update }),
  invoice_creation: object({ enabled: boolean, invoice_data: invoiceData }, ["enabled"]),
  automatic_tax: switchable,
  tax_id_collection: switchable,
  billing_address_collection: oneOf("auto", "required"),
  payment_intent_data: object({ setup_future_usage: oneOf("off_session", "on_session"), metadata }),
  adaptive_pricing: object({ enabled: boolean }),
  metadata,
  success_url: url,
  cancel_url: url,
  expires_at: integer,
  allowed_payment_method_types: methodTypes,
})

export const createCustomer = object({ email: text(512), address, metadata })

export const updateCustomer = object({ address })

export const createIntent = object(
  {
    amount: integer,
    currency: text(3),
    customer: text(),
    payment_method: text(),
    allowed_payment_method_types: methodTypes,
    description: text(1000),
    hooks: object({ inputs: object({ tax: object({ calculation: text() }, ["calculation"]) }) }),
    metadata,
  },
  ["amount", "currency"],
)

export const confirmIntent = object({ off_session: boolean })

export const cancelIntent = object({
  cancellation_reason: oneOf("abandoned", "duplicate", "fraudulent", "requested_by_customer"),
})

const taxedItem = object(
  { amount: integer, quantity: integer, reference: text(), tax_behavior: oneOf("exclusive", "inclusive") },
  ["amount"],
)

export const createCalculation = object({ currency: text(3), customer: text(), line_items: list(taxedItem, 100) }, [
  "currency",
  "line_items",
])

export const createRefund = object({ payment_intent: text(), amount: integer, metadata }, ["payment_intent"])

export const nothing = object({})

export const retrieval = object({ expand: list(text()) })

const listing = (filters: Record<string, Shape>): Shape =>
  object({ limit: integer, starting_after: text(), ...filters })

export const lists = {
  "checkout.session": listing({ customer: text(), payment_intent: text() }),
  refund: listing({ payment_intent: text() }),
  dispute: listing({ payment_intent: text() }),
  event: listing({ types: list(text(), 20), created: object({ gte: integer }) }),
}
