import type Stripe from "stripe"
import { invalid } from "./errors"
import type { Shape } from "./form"
import { type ListParams, listPage } from "./list"
import { makeCustomer } from "./make-payment"
import { makeSession } from "./make-session"
import { type CreateParams, calculateTax, cancelIntent, confirmIntent, makeIntent } from "./off-session"
import * as shapes from "./parameters"
import { expire } from "./pay"
import { refund } from "./refund"
import { detachCard, makeSetupSession } from "./saved-card"
import type { Kind } from "./store"
import type { World } from "./world"

export interface Call {
  world: World
  livemode: boolean
  path: string
  id: string
  params: Record<string, unknown>
}

export interface Route {
  method: "GET" | "POST"
  path: RegExp
  shape: Shape
  run(call: Call): object
}

const route = (method: Route["method"], template: string, shape: Shape, run: Route["run"]): Route => ({
  method,
  path: new RegExp(`^${template.replace(":id", "([^/]+)")}$`),
  shape,
  run,
})

const listed = (kind: keyof typeof shapes.lists, base: string): Route =>
  route("GET", base, shapes.lists[kind], ({ world, livemode, params, path }) =>
    listPage(world, kind, params as ListParams, { livemode, url: path }),
  )

const retrieved = (kind: Kind, base: string): Route =>
  route("GET", `${base}/:id`, shapes.retrieval, ({ world, livemode, id }) => world.store.get(kind, id, { livemode }))

const read = (kind: keyof typeof shapes.lists, base: string): Route[] => [listed(kind, base), retrieved(kind, base)]

function createdRefund({ world, livemode, params }: Call): object {
  const { charge, payment_intent: intent, ...options } = params as Stripe.RefundCreateParams
  const of = charge ?? intent
  if (!of || (charge && intent))
    throw invalid("One of the following params should be provided for this request: payment_intent or charge.", {
      code: "parameter_missing",
    })
  return refund(world, of, options as { amount?: number }, livemode)
}

function expiredSession({ world, livemode, id }: Call): object {
  world.store.get("checkout.session", id, { param: "session", livemode })
  return expire(world, id)
}

function lineItems({ world, livemode, id, path }: Call): object {
  world.store.get("checkout.session", id, { param: "session", livemode })
  return { object: "list", url: path, has_more: false, data: world.drafts.get(id)?.lineItems ?? [] }
}

function createdSession({ world, params, livemode }: Call): object {
  const make = params.mode === "setup" ? makeSetupSession : makeSession
  return make(world, params as Stripe.Checkout.SessionCreateParams, livemode)
}

function updatedCustomer({ world, livemode, id, params }: Call): object {
  const { expand: _, ...changes } = params
  const customer = world.store.get("customer", id, { livemode })
  const none = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
  if (changes.address) changes.address = { ...none, ...changes.address }
  return Object.assign(customer, changes)
}

export const routes: Route[] = [
  route("POST", "/v1/checkout/sessions", shapes.createSession, createdSession),
  route("POST", "/v1/checkout/sessions/:id/expire", shapes.retrieval, expiredSession),
  route("GET", "/v1/checkout/sessions/:id/line_items", shapes.retrieval, lineItems),
  route("POST", "/v1/customers", shapes.createCustomer, ({ world, params, livemode }) =>
    makeCustomer(world, params as Stripe.CustomerCreateParams, livemode),
  ),
  route("POST", "/v1/customers/:id", shapes.updateCustomer, updatedCustomer),
  route("POST", "/v1/payment_intents", shapes.createIntent, ({ world, params, livemode }) =>
    makeIntent(world, params as unknown as CreateParams, livemode),
  ),
  route("POST", "/v1/payment_intents/:id/confirm", shapes.confirmIntent, ({ world, id, params, livemode }) => {
    world.store.get("payment_intent", id, { param: "intent", livemode })
    return confirmIntent(world, id, params as Stripe.PaymentIntentConfirmParams)
  }),
  route("POST", "/v1/payment_intents/:id/cancel", shapes.cancelIntent, ({ world, id, params, livemode }) => {
    world.store.get("payment_intent", id, { param: "intent", livemode })
    return cancelIntent(world, id, params as Stripe.PaymentIntentCancelParams)
  }),
  route("POST", "/v1/payment_methods/:id/detach", shapes.retrieval, ({ world, id, livemode }) => {
    world.store.get("payment_method", id, { param: "payment_method", livemode })
    return detachCard(world, id)
  }),
  route("POST", "/v1/tax/calculations", shapes.createCalculation, ({ world, params, livemode }) =>
    calculateTax(world, params as unknown as Stripe.Tax.CalculationCreateParams, livemode),
  ),
  retrieved("payment_method", "/v1/payment_methods"),
  retrieved("setup_intent", "/v1/setup_intents"),
  route("POST", "/v1/refunds", shapes.createRefund, createdRefund),
  ...read("checkout.session", "/v1/checkout/sessions"),
  ...read("customer", "/v1/customers"),
  ...read("payment_intent", "/v1/payment_intents"),
  ...read("charge", "/v1/charges"),
  ...read("refund", "/v1/refunds"),
  ...read("dispute", "/v1/disputes"),
  ...read("invoice", "/v1/invoices"),
  ...read("event", "/v1/events"),
  retrieved("balance_transaction", "/v1/balance_transactions"),
]
