import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import type Stripe from "stripe"
import { missing } from "./errors"

export interface Kinds {
  "checkout.session": Stripe.Checkout.Session
  customer: Stripe.Customer
  payment_intent: Stripe.PaymentIntent
  payment_method: Stripe.PaymentMethod
  setup_intent: Stripe.SetupIntent
  "tax.calculation": Stripe.Tax.Calculation & { id: string; created: number }
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  invoice: Stripe.Invoice
  event: Stripe.Event
  balance_transaction: Stripe.BalanceTransaction
}

export type Kind = keyof Kinds

/** The names of kinds in Stripe's messages, where they differ. */
const NOUNS: Partial<Record<Kind, string>> = { payment_method: "PaymentMethod" }
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

const { resources } = JSON.parse(readFileSync(new URL("./fixtures.json", import.meta.url), "utf8"))

/** Returns a copy of Stripe's example object of this kind, with every field. */
export const example = <K extends Kind>(kind: K): Kinds[K] => structuredClone(resources[kind])

export const newId = (prefix: string, length = 24): string =>
  `${prefix}_${Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join("")}`

/** Every object by kind and id, oldest first. `all` and `find` return test and live objects together; `isLive` distinguishes them. */
export class Store {
  readonly #kinds: { [K in Kind]: Map<string, Kinds[K]> } = {
    "checkout.session": new Map(),
    customer: new Map(),
    payment_intent: new Map(),
    payment_method: new Map(),
    setup_intent: new Map(),
    "tax.calculation": new Map(),
    charge: new Map(),
    refund: new Map(),
    dispute: new Map(),
    invoice: new Map(),
    event: new Map(),
    balance_transaction: new Map(),
  }
  readonly #live = new Set<string>()

  add<K extends Kind>(kind: K, object: Kinds[K], livemode: boolean): Kinds[K] {
    this.#kinds[kind].set(object.id, object)
    if (livemode) this.#live.add(object.id)
    return object
  }

  /** Returns the stored object, which may be changed in place. With `livemode`, objects of the other mode are missing. */
  get<K extends Kind>(kind: K, id: string, options: { param?: string; livemode?: boolean } = {}): Kinds[K] {
    const object = this.#kinds[kind].get(id)
    const noun = NOUNS[kind] ?? kind
    if (!object) throw missing(noun, id, { param: options.param })
    if (options.livemode !== undefined && options.livemode !== this.isLive(id)) throw missing(noun, id, options)
    return object
  }

  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.#kinds[kind].values()]
  }

  isLive(id: string): boolean {
    return this.#live.has(id)
  }

  find(id: string): Kinds[Kind] | undefined {
    for (const objects of Object.values(this.#kinds)) {
      const object = objects.get(id)
      if (object) return object
    }
  }
}
