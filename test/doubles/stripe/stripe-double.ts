import type { Server } from "node:http"
import type Stripe from "stripe"
import { endServer } from "@/test/listen"
import { dispute, disputeFundsWithdrawn, disputeLost, disputeWon, type Totals, totals } from "./dispute"
import { type Fault, Faults, type RequestKind } from "./faults"
import { IdempotencyKeys } from "./idempotency"
import { type Delivery, type DeliveryMode, type Endpoint, Mailbox } from "./mailbox"
import { expire, expireOverdue, fail, pay, payLater, settleLater } from "./pay"
import { failRefund, type RefundOptions, refund, succeedRefund } from "./refund"
import { saveCard } from "./saved-card"
import { type CardOutcome, createWorld, type World } from "./world"

/** The accepted secret keys. Each sees only the objects of its mode. */
export const PRETEND_TEST_KEY = "sk_test_pretend"
export const PRETEND_LIVE_KEY = "sk_live_pretend"

export interface StripeOptions {
  webhook?: Endpoint
  /** Sales tax in percent, for sessions with automatic tax and for tax calculations. Default: 0. */
  taxPercent?: number
  /** The delays before a refused event is sent again. An empty list means one attempt and no timers. */
  retryDelaysMs?: number[]
  /** The clock, in milliseconds since 1970. Lets sessions and idempotency keys expire without waiting. */
  now?: () => number
}

/** Does what Stripe, customers and banks do, on command. Each command takes effect at once and creates its events. */
export class StripeDouble {
  readonly world: World
  readonly faults = new Faults()
  readonly idempotency: IdempotencyKeys
  readonly mailbox: Mailbox

  constructor(
    private readonly server: Server,
    options: StripeOptions,
  ) {
    const { now = Date.now, retryDelaysMs = [20, 100, 500], webhook = null } = options
    this.mailbox = new Mailbox(webhook, now, retryDelaysMs)
    this.world = createWorld(this.mailbox, now)
    this.world.taxPercent = options.taxPercent ?? 0
    this.idempotency = new IdempotencyKeys(now)
  }

  /** The value for `STRIPE_API_BASE`. */
  get url(): string {
    return this.world.origin
  }

  get events(): Stripe.Event[] {
    return this.world.store.all("event")
  }

  /** Expires overdue sessions. Requests and pages do so themselves. */
  tick(): void {
    expireOverdue(this.world)
  }

  pay(sessionId: string): Stripe.Checkout.Session {
    return pay(this.world, sessionId)
  }

  fail(sessionId: string): Stripe.Checkout.Session {
    return fail(this.world, sessionId)
  }

  /** Enters a card at a checkout in `setup` mode. `outcome` is what happens when the card is charged later. */
  saveCard(sessionId: string, outcome: CardOutcome = "ok"): Stripe.PaymentMethod {
    return saveCard(this.world, sessionId, outcome)
  }

  /** Changes what happens when a saved card is charged. Without an id, changes every saved card. */
  setCard(outcome: CardOutcome, paymentMethodId?: string): void {
    for (const { id } of this.world.store.all("payment_method"))
      if (!paymentMethodId || id === paymentMethodId) this.world.cards.set(id, outcome)
  }

  payLater(sessionId: string): Stripe.Checkout.Session {
    return payLater(this.world, sessionId)
  }

  settleLater(sessionId: string, outcome: "ok" | "failed"): Stripe.Checkout.Session {
    return settleLater(this.world, sessionId, outcome)
  }

  expire(sessionId: string): Stripe.Checkout.Session {
    return expire(this.world, sessionId)
  }

  refund(chargeOrIntent: string, options: RefundOptions = {}): Stripe.Refund {
    return refund(this.world, chargeOrIntent, options)
  }

  succeedRefund(refundId: string): Stripe.Refund {
    return succeedRefund(this.world, refundId)
  }

  failRefund(refundId: string): Stripe.Refund {
    return failRefund(this.world, refundId)
  }

  dispute(chargeOrIntent: string, options: { amount?: number } = {}): Stripe.Dispute {
    return dispute(this.world, chargeOrIntent, options)
  }

  disputeFundsWithdrawn(disputeId: string): Stripe.Dispute {
    return disputeFundsWithdrawn(this.world, disputeId)
  }

  disputeWon(disputeId: string): Stripe.Dispute {
    return disputeWon(this.world, disputeId)
  }

  disputeLost(disputeId: string): Stripe.Dispute {
    return disputeLost(this.world, disputeId)
  }

  setTaxRate(percent: number): void {
    this.world.taxPercent = percent
  }

  setWebhook(endpoint: Endpoint | null): void {
    this.mailbox.endpoint = endpoint
  }

  setDelivery(mode: DeliveryMode): void {
    this.mailbox.mode = mode
  }

  deliver(eventIds: string[]): Promise<Delivery[]> {
    return this.mailbox.deliver(eventIds)
  }

  flush(): Promise<Delivery[]> {
    return this.mailbox.flush()
  }

  idle(): Promise<void> {
    return this.mailbox.idle()
  }

  /** Makes the next `times` matching requests meet the fault. A string must match whole: `POST /v1/refunds`. */
  failNext(on: RequestKind, fault: Fault, times = 1): void {
    this.faults.plan(on, fault, times)
  }

  releaseRequests(): void {
    this.faults.release()
  }

  /** Returns what was paid, refunded and disputed, in cents. `reference` is the id of a payment, session or charge, or a reference. */
  totals(reference: string): Totals {
    return totals(this.world, reference)
  }

  async stop(): Promise<void> {
    this.faults.clear()
    await endServer(this.server)
  }
}
