import type Stripe from "stripe"
import type { Mailbox } from "./mailbox"
import { newId, Store } from "./store"

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

/** How long a checkout is open unless it says otherwise. */
export const SESSION_SECONDS = 86_400

export function createWorld(mailbox: Mailbox, nowMs: () => number): World {
  const now = () => Math.floor(nowMs() / 1000)
  return { store: new Store(now), cards: new Map(), drafts: new Map(), mailbox, origin: "", taxPercent: 0, now }
}

/** Records an event with a copy of the object and passes it to the mailbox. */
export function emit({ store, mailbox }: World, type: Stripe.Event["type"], object: { id: string }): void {
  const data = { object: structuredClone(object) } as unknown as Stripe.Event.Data
  const fields = { id: newId("evt"), type, data }
  mailbox.post(store.add("event", store.isLive(object.id), fields as Partial<Stripe.Event> & { id: string }))
}
