import type Stripe from "stripe"
import { invalid } from "./errors"
import type { Shape } from "./form"
import { type ListParams, listPage } from "./list"
import { makeCustomer } from "./make-payment"
import { makeSession } from "./make-session"
import { createCustomer, createRefund, createSession, lists, retrieval } from "./parameters"
import { expire } from "./pay"
import { refund } from "./refund"
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

const listed = (kind: keyof typeof lists, base: string): Route =>
  route("GET", base, lists[kind], ({ world, livemode, params, path }) =>
    listPage(world, kind, params as ListParams, { livemode, url: path }),
  )

const retrieved = (kind: Kind, base: string): Route =>
  route("GET", `${base}/:id`, retrieval, ({ world, livemode, id }) => world.store.get(kind, id, { livemode }))

const read = (kind: keyof typeof lists, base: string): Route[] => [listed(kind, base), retrieved(kind, base)]

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

export const routes: Route[] = [
  route("POST", "/v1/checkout/sessions", createSession, ({ world, params, livemode }) =>
    makeSession(world, params as Stripe.Checkout.SessionCreateParams, livemode),
  ),
  route("POST", "/v1/checkout/sessions/:id/expire", retrieval, expiredSession),
  route("GET", "/v1/checkout/sessions/:id/line_items", retrieval, lineItems),
  route("POST", "/v1/customers", createCustomer, ({ world, params, livemode }) =>
    makeCustomer(world, params as Stripe.CustomerCreateParams, livemode),
  ),
  route("POST", "/v1/refunds", createRefund, createdRefund),
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
