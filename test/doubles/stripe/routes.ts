import type Stripe from "stripe"
import type { Shape } from "./form"
import { type ListParams, listPage } from "./list"
import { makeCustomer, wholeAddress } from "./make-payment"
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

function createdRefund({ world, livemode, params }: Call): object {
  const { payment_intent: intent, ...options } = params as { payment_intent: string; amount?: number }
  return refund(world, intent, options, livemode)
}

function expiredSession({ world, livemode, id }: Call): object {
  world.store.get("checkout.session", id, { param: "session", livemode })
  return expire(world, id)
}

function createdSession({ world, params, livemode }: Call): object {
  const make = params.mode === "setup" ? makeSetupSession : makeSession
  return make(world, params as Stripe.Checkout.SessionCreateParams, livemode)
}

function updatedCustomer({ world, livemode, id, params }: Call): object {
  const customer = world.store.get("customer", id, { livemode })
  if (params.address) customer.address = wholeAddress(params.address)
  return customer
}

export const routes: Route[] = [
  route("POST", "/v1/checkout/sessions", shapes.createSession, createdSession),
  route("POST", "/v1/checkout/sessions/:id/expire", shapes.nothing, expiredSession),
  route("POST", "/v1/customers", shapes.createCustomer, ({ world, params, livemode }) =>
    makeCustomer(world, params as Stripe.CustomerCreateParams, livemode),
  ),
  route("POST", "/v1/customers/:id", shapes.updateCustomer, updatedCustomer),
  route("POST", "/v1/payment_intents", shapes.createIntent, ({ world, params, livemode }) =>
    makeIntent(world, params as unknown as CreateParams, livemode),
  ),
  route("POST", "/v1/payment_intents/:id/confirm", shapes.confirmIntent, ({ world, id, livemode }) => {
    world.store.get("payment_intent", id, { param: "intent", livemode })
    return confirmIntent(world, id)
  }),
  route("POST", "/v1/payment_intents/:id/cancel", shapes.cancelIntent, ({ world, id, livemode }) => {
    world.store.get("payment_intent", id, { param: "intent", livemode })
    return cancelIntent(world, id)
  }),
  route("POST", "/v1/payment_methods/:id/detach", shapes.nothing, ({ world, id, livemode }) => {
    world.store.get("payment_method", id, { param: "payment_method", livemode })
    return detachCard(world, id)
  }),
  route("POST", "/v1/tax/calculations", shapes.createCalculation, ({ world, params, livemode }) =>
    calculateTax(world, params as unknown as Stripe.Tax.CalculationCreateParams, livemode),
  ),
  route("POST", "/v1/refunds", shapes.createRefund, createdRefund),
  retrieved("checkout.session", "/v1/checkout/sessions"),
  retrieved("payment_intent", "/v1/payment_intents"),
  retrieved("event", "/v1/events"),
  listed("checkout.session", "/v1/checkout/sessions"),
  listed("refund", "/v1/refunds"),
  listed("dispute", "/v1/disputes"),
  listed("event", "/v1/events"),
]
