import Stripe from "stripe"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { PauseReason } from "@/lib/shared/billing/auto-topup"
import { ensureCustomer } from "./ensure-customer"
import { MONTH_START } from "./months"
import type { Payments } from "./payments"
import { type CheckoutFacts, expanded, ForeignCheckout, readReturned } from "./read-checkout"
import { findTopup, type TopupRow } from "./topup"

/*
 * An automatic top-up is charged at most once, even if processes end at any moment:
 * - its row stores one payment before that payment is confirmed, and only the stored one is ever confirmed;
 * - Stripe lets a payment succeed once.
 * Idempotency keys save requests. They are not needed for money to be right, so their expiry after a day does no harm.
 */

/** Why a charge failed. Null for one that was cancelled or never tried. */
export type ChargeFailure = Exclude<PauseReason, "dispute"> | null

export interface ChargeFacts extends CheckoutFacts {
  failure: ChargeFailure
}

const isRefused = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409

/** A payment may be confirmed in its first hour and UTC month, while the account is active, automatic top-up is on and its card is saved. */
const IS_WANTED = `
  p.id = $1 AND p.status = 'processing' AND p.created_at > now() - interval '1 hour' AND p.created_at >= ${MONTH_START}
  AND EXISTS (SELECT FROM auto_topup WHERE account_id = p.account_id AND state = 'on')
  AND EXISTS (SELECT FROM account WHERE id = p.account_id AND status = 'active')
  AND EXISTS (SELECT FROM saved_card WHERE payment_method_id = p.payment_method_id AND removed_at IS NULL)`

async function isWanted({ pool }: Runtime, { id }: TopupRow): Promise<boolean> {
  return (await pool.query(`SELECT FROM topup p WHERE ${IS_WANTED}`, [id])).rowCount === 1
}

/** Does the same as `isWanted`, and stores the time of the confirmation that follows. */
async function claimConfirmation({ pool }: Runtime, { id }: TopupRow): Promise<boolean> {
  return (await pool.query(`UPDATE topup p SET charged_at = now() WHERE ${IS_WANTED}`, [id])).rowCount === 1
}

/** Returns the payment's amount with tax, and the calculation that Stripe Tax books when it succeeds. */
async function withTax({ stripe, automaticTax }: Payments, row: TopupRow, customer: string, idempotencyKey: string) {
  if (!automaticTax) return { amount: row.amountCents }
  const line = { amount: row.amountCents, quantity: 1, reference: row.id, tax_behavior: "exclusive" as const }
  const { id, amount_total: amount } = await stripe.tax.calculations.create(
    { currency: "usd", customer, line_items: [line] },
    { idempotencyKey: `${idempotencyKey}:tax` },
  )
  return { amount, hooks: { inputs: { tax: { calculation: id ?? "" } } } }
}

async function createIntent(
  runtime: Runtime,
  payments: Payments,
  row: TopupRow,
  idempotencyKey: string,
): Promise<Stripe.PaymentIntent> {
  const customer = await ensureCustomer(runtime, payments, row.accountId)
  return payments.stripe.paymentIntents.create(
    {
      ...(await withTax(payments, row, customer, idempotencyKey)),
      currency: "usd",
      customer,
      payment_method: row.paymentMethodId ?? "",
      allowed_payment_method_types: ["card"],
      description: `${runtime.env.SERVICE_NAME} credit`,
      metadata: { topup: row.id },
    },
    { idempotencyKey },
  )
}

const SAVE = `
  UPDATE topup SET payment_intent_id = $2, version = version + 1
  WHERE id = $1 AND payment_intent_id IS NULL AND status = 'processing'`

/** Creates an unconfirmed payment and stores its id. Returns the new row: with this payment, another process's, or none if it ended. */
async function openPayment(runtime: Runtime, payments: Payments, row: TopupRow): Promise<TopupRow | null> {
  const { pool } = runtime
  const key = `auto-topup:${row.id}`
  const intent = await createIntent(runtime, payments, row, key).catch((error: unknown) => {
    // Stripe repeats a 500 for its idempotency key. A second payment that nobody confirms does no harm.
    const isRepeated =
      error instanceof Stripe.errors.StripeAPIError || error instanceof Stripe.errors.StripeIdempotencyError
    if (isRepeated && error.statusCode !== 409) return createIntent(runtime, payments, row, `${key}:2`)
    throw error
  })
  await pool.query(SAVE, [row.id, intent.id])
  return findTopup(pool, "id", row.id)
}

/** A payment that Stripe does not have. The key of another Stripe account finds no payment either, not even a paid one. */
class MissingPayment extends ForeignCheckout {}

async function readIntent({ stripe }: Payments, id: string): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] })
  } catch (error) {
    const isMissing = error instanceof Stripe.errors.StripeError && error.code === "resource_missing"
    if (isMissing && error.statusCode === 404) throw new MissingPayment("no such payment")
    throw error
  }
}

// `claimConfirmation` sets `charged_at` before Stripe is asked, and only in the first hour. The second hour is a margin.
const NEVER_TRIED = `
  SELECT FROM topup
  WHERE id = $1 AND status = 'processing' AND charged_at IS NULL AND created_at < now() - interval '2 hours'`

/**
 * Reads the stored payment. Returns null if Stripe does not have it, and no process has confirmed it or can still confirm it: then it took
 * no money, even if another Stripe account has it. Throws `ForeignCheckout` for a missing one that may have succeeded.
 */
async function findIntent(
  { log, pool }: Runtime,
  payments: Payments,
  row: TopupRow,
): Promise<Stripe.PaymentIntent | null> {
  try {
    return await readIntent(payments, row.paymentIntentId ?? "")
  } catch (error) {
    if (!(error instanceof MissingPayment)) throw error
    if ((await pool.query(NEVER_TRIED, [row.id])).rowCount !== 1) throw error
    log.warn("Stripe did not have a payment that was never tried. Its top-up ended as failed", {
      event: "topup.missing",
      accountId: row.accountId,
      reason: publicId("top", row.id),
    })
    return null
  }
}

function assertMatches(intent: Stripe.PaymentIntent, { id, amountCents }: TopupRow, payments: Payments): void {
  if (intent.metadata.topup !== id) throw new ForeignCheckout("another reference")
  if (intent.livemode !== payments.livemode) throw new ForeignCheckout("the other mode")
  if (intent.currency !== "usd") throw new ForeignCheckout("another currency")
  if (intent.amount < amountCents) throw new ForeignCheckout("a reduced amount")
}

/** Confirms a payment without its owner. Returns true when Stripe refuses to try, such as for a card that was detached. */
async function confirm({ stripe }: Payments, { id }: TopupRow, intentId: string): Promise<boolean> {
  const attempt = (idempotencyKey: string) =>
    stripe.paymentIntents.confirm(intentId, { off_session: true }, { idempotencyKey })
  try {
    await attempt(`auto-topup:${id}:confirm`).catch((error: unknown) => {
      if (error instanceof Stripe.errors.StripeAPIError) return attempt(`auto-topup:${id}:confirm:2`)
      throw error
    })
    return false
  } catch (error) {
    // The payment itself shows why a card failed.
    if (error instanceof Stripe.errors.StripeCardError) return false
    // Another process confirmed or cancelled it.
    if (error instanceof Stripe.errors.StripeError && error.code === "payment_intent_unexpected_state") return false
    if (isRefused(error)) return true
    throw error
  }
}

async function cancel({ stripe }: Payments, intentId: string): Promise<void> {
  await stripe.paymentIntents.cancel(intentId, { cancellation_reason: "abandoned" }).catch((error: unknown) => {
    // It has ended meanwhile: the next fetch shows how.
    if (!isRefused(error)) throw error
  })
}

/** Confirms or cancels a payment that was not tried yet. Returns its new state. */
async function advance(runtime: Runtime, payments: Payments, row: TopupRow, intent: Stripe.PaymentIntent) {
  if (intent.status !== "requires_confirmation") return { intent, wasRefused: false }
  const wasRefused = (await claimConfirmation(runtime, row)) ? await confirm(payments, row, intent.id) : false
  const after = await readIntent(payments, intent.id)
  if (after.status !== "requires_confirmation") return { intent: after, wasRefused }
  await cancel(payments, intent.id)
  return { intent: await readIntent(payments, intent.id), wasRefused }
}

const NEEDS_OWNER = new Set<Stripe.PaymentIntent.Status>(["requires_payment_method", "requires_action"])

function failureOf({ status, last_payment_error: error }: Stripe.PaymentIntent, wasRefused: boolean): ChargeFailure {
  if (status === "canceled") return wasRefused ? "refused" : null
  const isAuthentication =
    status === "requires_action" ||
    error?.code === "authentication_required" ||
    error?.decline_code === "authentication_required"
  return isAuthentication ? "authentication" : "declined"
}

const UNPAID = {
  attention: null,
  paymentIntentId: null,
  paidCents: null,
  refundedCents: 0,
  disputedCents: 0,
  receiptUrl: null,
  checkoutUrl: null,
  card: null,
}

async function factsOf({ stripe }: Payments, intent: Stripe.PaymentIntent, wasRefused: boolean): Promise<ChargeFacts> {
  const facts = { ...UNPAID, paymentIntentId: intent.id, failure: null }
  const hasFailed = intent.status === "canceled" || NEEDS_OWNER.has(intent.status)
  if (hasFailed) return { ...facts, status: "failed", failure: failureOf(intent, wasRefused) }
  if (intent.status !== "succeeded") return { ...facts, status: "processing" }
  const charge = expanded<Stripe.Charge>(intent.latest_charge)
  return {
    ...facts,
    ...(await readReturned(stripe, intent.id)),
    status: "paid",
    paidCents: intent.amount_received,
    receiptUrl: charge?.receipt_url ?? null,
  }
}

const failed = (failure: ChargeFailure): ChargeFacts => ({ ...UNPAID, status: "failed", failure })

/**
 * Takes an automatic top-up as far as Stripe lets it. Creates its payment, confirms it without the owner, and reads the result
 * with refunds and disputes. Cancels it if it may not be confirmed any more (`IS_WANTED`), or if Stripe refuses. Returns the row that the
 * facts belong to. Throws `ForeignCheckout`, and rejects when Stripe is unreachable; the caller tries again later.
 */
export async function chargeCard(
  runtime: Runtime,
  payments: Payments,
  seen: TopupRow,
): Promise<{ row: TopupRow; facts: ChargeFacts }> {
  let row = seen
  if (!row.paymentIntentId) {
    if (row.status !== "processing" || !(await isWanted(runtime, row))) return { row, facts: failed(null) }
    try {
      row = (await openPayment(runtime, payments, row)) ?? row
    } catch (error) {
      if (isRefused(error)) return { row, facts: failed("refused") }
      throw error
    }
    if (!row.paymentIntentId) return { row, facts: failed(null) }
  }
  const intent = await findIntent(runtime, payments, row)
  // The id stays: should the payment succeed after all, the next fetch credits it.
  if (!intent) return { row, facts: { ...failed(null), paymentIntentId: row.paymentIntentId } }
  assertMatches(intent, row, payments)
  const { intent: after, wasRefused } = await advance(runtime, payments, row, intent)
  return { row, facts: await factsOf(payments, after, wasRefused) }
}
