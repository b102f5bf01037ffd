import type Stripe from "stripe"
import type { Mailbox } from "./mailbox"
import { example, newId, Store } from "./store"

/** The parameters of a session that matter when it is paid. Stripe stores them but returns few of them. */
export interface Draft {
  params: Stripe.Checkout.SessionCreateParams
  lineItems: Stripe.LineItem[]
}

/** How a bank responds to a charge of a saved card while its owner is absent. */
export type CardOutcome = "ok" | "declined" | "authentication_required"

export interface World {
  store: Store
  /** What happens when a saved card is charged, by the id of its payment method. Without an entry: ok. */
  cards: Map<string, CardOutcome>
  drafts: Map<string, Draft>
  mailbox: Mailbox
  origin: string
  taxPercent: number
  /** Returns the time in seconds since 1970. */
  now(): number
}

const API_VERSION = "2026-10-28.endive"

export const createWorld = (mailbox: Mailbox, nowMs: () => number): World => ({
  store: new Store(),
  cards: new Map(),
  drafts: new Map(),
  mailbox,
  origin: "",
  taxPercent: 0,
  now: () => Math.floor(nowMs() / 1000),
})

type EventObject = { id: string; object: string }

/** Records an event with a copy of the object and passes it to the mailbox. */
export function emit(world: World, type: Stripe.Event["type"], object: EventObject): void {
  const livemode = world.store.isLive(object.id)
  const event = {
    ...example("event"),
    id: newId("evt"),
    api_version: API_VERSION,
    created: world.now(),
    livemode,
    pending_webhooks: 0,
    type,
    data: { object: structuredClone(object) },
  } as unknown as Stripe.Event
  world.store.add("event", event, livemode)
  world.mailbox.post(event)
}
