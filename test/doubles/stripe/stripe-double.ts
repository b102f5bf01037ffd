import { once } from "node:events"
import type { Server } from "node:http"
import type Stripe from "stripe"
import { dispute, disputeFundsWithdrawn, disputeLost, disputeWon } from "./dispute"
import { type Fault, Faults, type RequestKind } from "./faults"
import { IdempotencyKeys } from "./idempotency"
import { type Delivery, type DeliveryMode, type Endpoint, Mailbox } from "./mailbox"
import { expire, expireOverdue, fail, pay, payLater, settleLater } from "./pay"
import { failRefund, type RefundOptions, refund, succeedRefund } from "./refund"
import { type Totals, totals } from "./totals"
import { createWorld, type World } from "./world"

/** A key that the double takes, of each mode. */
export const PRETEND_TEST_KEY = "sk_test_pretend"
export const PRETEND_LIVE_KEY = "sk_live_pretend"

export interface StripeOptions {
  /** A free one when left out. */
  port?: number
  /** The secret keys it takes; those of each mode see only the objects of theirs. */
  keys?: string[]
  /** Where events are sent; may be set later. */
  webhook?: Endpoint
  /** Sales tax in percent for sessions with automatic tax; none when left out. */
  taxPercent?: number
  /** The waits before a refused event is sent again; empty for once only, without timers. */
  retryDelaysMs?: number[]
  /** Milliseconds since 1970; for sessions that expire and keys that are pruned without waiting. */
  now?: () => number
}

/** What happens at Stripe, its customers and their banks, on command. Each command takes effect at once and makes its events. */
export class StripeDouble {
  readonly world: World
  readonly keys: string[]
  readonly faults = new Faults()
  readonly idempotency: IdempotencyKeys
  readonly mailbox: Mailbox
  port = 0

  constructor(
    private readonly server: Server,
    options: StripeOptions,
  ) {
    const { now = Date.now, retryDelaysMs = [20, 100, 500], webhook = null } = options
    this.mailbox = new Mailbox(webhook, now, retryDelaysMs)
    this.world = createWorld(this.mailbox, now)
    this.world.taxPercent = options.taxPercent ?? 0
    this.idempotency = new IdempotencyKeys(now)
    this.keys = options.keys ?? [PRETEND_TEST_KEY, PRETEND_LIVE_KEY]
  }

  /** What `STRIPE_API_BASE` is set to. */
  get url(): string {
    return this.world.origin
  }

  /** Every event so far, oldest first. */
  get events(): Stripe.Event[] {
    return this.world.store.all("event")
  }

  /** Lets time have its effect: expires what is overdue. Requests and pages do it by themselves. */
  tick(): void {
    expireOverdue(this.world)
  }

  pay(sessionId: string): Stripe.Checkout.Session {
    return pay(this.world, sessionId)
  }

  fail(sessionId: string): Stripe.Checkout.Session {
    return fail(this.world, sessionId)
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

  /** An inquiry: no money has moved until `disputeFundsWithdrawn`. */
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

  /** How events are delivered from now on; `copies` of each in the mode `now`. */
  setDelivery(mode: DeliveryMode, copies = 1): void {
    Object.assign(this.mailbox, { mode, copies })
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

  /** The next `times` requests like this one meet the fault; a string is matched whole: `POST /v1/refunds`. */
  failNext(on: RequestKind, fault: Fault, times = 1): void {
    this.faults.plan(on, fault, times)
  }

  /** Lets the requests that a `held` fault stopped go on. */
  releaseRequests(): void {
    this.faults.release()
  }

  /** What was paid, refunded and disputed, in cents, by the id of a payment, session, charge or our own reference. */
  totals(reference: string): Totals {
    return totals(this.world, reference)
  }

  async stop(): Promise<void> {
    this.faults.clear()
    const closed = once(this.server, "close")
    this.server.close()
    this.server.closeAllConnections()
    await closed
  }
}
