import { randomBytes } from "node:crypto"
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
}

export type Kind = keyof Kinds

/** The names of kinds in Stripe's messages, where they differ. */
const NOUNS: Partial<Record<Kind, string>> = { payment_method: "PaymentMethod" }
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

export const newId = (prefix: string, length = 24): string =>
  `${prefix}_${Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join("")}`

/** Every object by its id, oldest first. `all` and `find` return test and live objects together; `isLive` distinguishes them. */
export class Store {
  readonly #objects = new Map<string, Kinds[Kind]>()

  /** `now` returns the time in seconds since 1970. */
  constructor(private readonly now: () => number) {}

  /**
   * Adds and returns an object with these fields. It has only fields that the service or the double reads: if the service begins to read
   * another, that is undefined, and a test fails until the double sets it.
   */
  add<K extends Kind>(kind: K, livemode: boolean, fields: Partial<Kinds[K]> & { id: string }): Kinds[K] {
    const object = { object: kind, livemode, created: this.now(), ...fields } as unknown as Kinds[K]
    this.#objects.set(object.id, object)
    return object
  }

  /** Returns the stored object, which may be changed in place. With `livemode`, objects of the other mode are missing. */
  get<K extends Kind>(kind: K, id: string, options: { param?: string; livemode?: boolean } = {}): Kinds[K] {
    const object = this.#objects.get(id)
    const noun = NOUNS[kind] ?? kind
    if (object?.object !== kind) throw missing(noun, id, { param: options.param })
    if (options.livemode !== undefined && options.livemode !== this.isLive(id)) throw missing(noun, id, options)
    return object as Kinds[K]
  }

  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.#objects.values()].filter(({ object }) => object === kind) as Kinds[K][]
  }

  isLive(id: string): boolean {
    const object = this.find(id)
    return object !== undefined && "livemode" in object && object.livemode
  }

  find(id: string): Kinds[Kind] | undefined {
    return this.#objects.get(id)
  }
}
