import type Stripe from "stripe"
import { example, newId } from "./store"
import { emit, type World } from "./world"

/** Records a customer. */
export function makeCustomer(world: World, params: Stripe.CustomerCreateParams, livemode: boolean): Stripe.Customer {
  const none = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
  const address = params.address ? { ...none, ...(params.address as Partial<Stripe.Address>) } : null
  const customer: Stripe.Customer = {
    ...example("customer"),
    id: newId("cus", 14),
    address,
    created: world.now(),
    currency: null,
    description: params.description ?? null,
    discount: null,
    email: params.email ?? null,
    livemode,
    metadata: (params.metadata ?? {}) as Stripe.Metadata,
    name: params.name ?? null,
    phone: params.phone ?? null,
    shipping: null,
  }
  world.store.add("customer", customer, livemode)
  emit(world, "customer.created", customer)
  return customer
}
