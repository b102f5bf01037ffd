import type { PoolClient } from "pg"
import Stripe from "stripe"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { BillingDetails } from "@/lib/shared/billing/billing-details"
import type { StartTopupInput } from "@/lib/shared/billing/schema"
import { ServiceError } from "@/lib/shared/errors"
import { inputUsd } from "@/lib/shared/format"
import { usdOfCents } from "@/lib/shared/money"
import { invoiceDataOf, readBillingDetails } from "./billing-details"
import { ensureCustomer, isCustomerGone } from "./ensure-customer"
import type { Payments } from "./payments"
import { findCheckout } from "./read-checkout"
import { requirePayments, stripeUnreachable } from "./refusals"
import { findTopup, type TopupRow } from "./topup"
import { topupCents } from "./topup-terms"

const CHECKOUT_SECONDS = 3_600
// Stripe refuses a session that expires within half an hour, so a late attempt would fail.
const ATTEMPT_MS = 25 * 60_000

// Each checkout costs a request to Stripe and an audit row, which is never deleted.
const MAX_PER_HOUR = 100
const INSERT = `
  INSERT INTO topup (id, account_id, user_id, amount_cents, saves_card) SELECT $1, $2, $3, $4, $5
  WHERE (SELECT count(*) FROM topup WHERE account_id = $2 AND created_at > now() - interval '1 hour') < $6
  ON CONFLICT (id) DO NOTHING`

const PAUSED = `
  SELECT FROM auto_topup WHERE account_id = $1 AND state = 'paused' AND pause_reason <> 'dispute'`
// Every payer who got the mail about a failed charge may press the button.
const OPEN = `
  SELECT id FROM topup WHERE account_id = $1 AND saves_card AND amount_cents = $2
    AND (status = 'open' AND created_at > now() - interval '${CHECKOUT_SECONDS} seconds'
      OR status = 'created' AND created_at > now() - interval '${ATTEMPT_MS} milliseconds')
  ORDER BY created_at LIMIT 1`

// The card that is entered belongs to the owner who opened the checkout last. The first one may have left.
const TAKE_OVER = "UPDATE topup SET user_id = $2 WHERE id = $1 AND status IN ('created', 'open')"

interface Purchase {
  attempt: string
  amountCents: number
  saveCard: boolean
}

/** Returns the checkout of the failed automatic top-up that is open already, or `attempt` for a new one. */
async function openOrNew(client: PoolClient, { accountId }: UserActor, { attempt, amountCents }: Purchase) {
  const { rowCount } = await client.query(PAUSED, [accountId])
  if (rowCount !== 1)
    throw new ServiceError("invalid_request", {
      message: "No failed automatic top-up is left to pay. Load this page again.",
    })
  const { rows } = await client.query<Row<"Topup", "id">>(OPEN, [accountId, amountCents])
  return rows[0]?.id ?? attempt
}

async function insertOnce({ pool }: Runtime, actor: UserActor, purchase: Purchase): Promise<TopupRow> {
  const { attempt, amountCents, saveCard } = purchase
  const row = await inTransaction(pool, async (client) => {
    // The account's row lock makes concurrent top-ups count sequentially.
    await lockAccount(client, actor.accountId)
    const id = saveCard ? await openOrNew(client, actor, purchase) : attempt
    const values = [id, actor.accountId, actor.userId, amountCents, saveCard, MAX_PER_HOUR]
    const { rowCount } = await client.query(INSERT, values)
    const found = await findTopup(client, "id", id)
    if (rowCount === 1 || (found?.accountId === actor.accountId && found.userId !== actor.userId))
      await recordAudit(client, actor, { action: "topup.start", subject: publicId("top", id) })
    return found
  })
  if (!row) throw new ServiceError("rate_limited", { message: "Too many checkouts were opened. Try again in an hour." })
  const ageMs = Date.now() - row.createdAt.getTime()
  const isOpen =
    (row.status === "open" && ageMs < CHECKOUT_SECONDS * 1000) || (row.status === "created" && ageMs < ATTEMPT_MS)
  const isSame = row.accountId === actor.accountId && row.amountCents === amountCents && row.savesCard === saveCard
  if (!isSame || !isOpen)
    throw new ServiceError("invalid_request", { message: "This page is out of date. Load it again." })
  // Not in the transaction above, which locks the account first: a settlement locks the top-up first, so both could deadlock.
  if (row.userId !== actor.userId) await pool.query(TAKE_OVER, [row.id, actor.userId])
  return row
}

function sessionParams(
  { env }: Runtime,
  row: TopupRow,
  customer: string,
  automaticTax: boolean,
  details: BillingDetails,
): Stripe.Checkout.SessionCreateParams {
  const { CONSOLE_URL } = env
  const invoiceData = invoiceDataOf(details)
  return {
    mode: "payment",
    client_reference_id: row.id,
    metadata: { topup: row.id },
    payment_intent_data: {
      metadata: { topup: row.id },
      ...(row.savesCard ? { setup_future_usage: "off_session" } : {}),
    },
    // Only a card can be charged later without asking its owner.
    ...(row.savesCard ? { allowed_payment_method_types: ["card"] } : {}),
    customer,
    customer_update: { address: "auto", name: "auto" },
    tax_id_collection: { enabled: true },
    automatic_tax: { enabled: automaticTax },
    invoice_creation: { enabled: true, ...(invoiceData ? { invoice_data: invoiceData } : {}) },
    // Credit is in dollars, so payments and refunds must be in dollars too.
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: "usd",
          unit_amount: row.amountCents,
          tax_behavior: "exclusive",
          product_data: { name: `${env.SERVICE_NAME} credit` },
        },
      },
    ],
    // The same value at every attempt, because Stripe refuses a repeated idempotency key with other parameters.
    expires_at: Math.floor(row.createdAt.getTime() / 1000) + CHECKOUT_SECONDS,
    success_url: `${CONSOLE_URL}/billing/top-up/return?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: row.savesCard
      ? `${CONSOLE_URL}/billing/auto-top-up`
      : `${CONSOLE_URL}/billing/top-up?amount=${inputUsd(usdOfCents(row.amountCents))}`,
  }
}

/** Returns true when Stripe may still create the session: the same idempotency key then returns it later. */
const mayYetSucceed = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  (error instanceof Stripe.errors.StripeError && error.statusCode === 409)

/** Creates the session. Stripe repeats a 500 for its idempotency key, so it then looks for the session or uses a second key. */
async function createSession(runtime: Runtime, payments: Payments, row: TopupRow): Promise<Stripe.Checkout.Session> {
  const { stripe, automaticTax } = payments
  const details = await readBillingDetails(runtime, row.accountId)
  const create = (customer: string, idempotencyKey: string) =>
    stripe.checkout.sessions.create(sessionParams(runtime, row, customer, automaticTax, details), { idempotencyKey })
  const customer = await ensureCustomer(runtime, payments, row.accountId)
  try {
    return await create(customer, `topup:${row.id}`)
  } catch (error) {
    if (mayYetSucceed(error)) throw error
    if (isCustomerGone(error))
      return create(await ensureCustomer(runtime, payments, row.accountId, customer), `topup:${row.id}:2`)
    return (await findCheckout(runtime, payments, row)) ?? create(customer, `topup:${row.id}:2`)
  }
}

/** Saves the session and returns its checkout address. If another session was saved first, returns that one's address. */
async function saveSession({ pool }: Runtime, row: TopupRow, session: Stripe.Checkout.Session): Promise<string | null> {
  const { rowCount } = await pool.query(
    `UPDATE topup SET session_id = $2, checkout_url = $3, status = 'open', version = version + 1
     WHERE id = $1 AND session_id IS NULL`,
    [row.id, session.id, session.url],
  )
  return rowCount === 1 ? session.url : ((await findTopup(pool, "id", row.id))?.checkoutUrl ?? null)
}

/**
 * Opens a Stripe Checkout for a purchase of credit and returns its address. The same `attempt` returns the same checkout.
 * The row, never Stripe, decides which account is credited and with how much. `saveCard` completes a failed automatic top-up and
 * keeps the card for the next ones. It returns the account's open checkout of this kind, so that two payers do not pay twice.
 * Throws `invalid_request` with `saveCard` unless a failed charge pauses automatic top-up.
 * Needs `billing.pay`, to save the card also `billing.automate`, and a sign-in or a confirmation within the last 24 hours.
 */
export async function startTopup(
  runtime: Runtime,
  actor: UserActor,
  { attempt, amountUsd, saveCard }: StartTopupInput,
): Promise<{ checkoutUrl: string }> {
  requireRight(actor, "billing.pay")
  requireConfirmed(actor, "startTopup")
  const payments = requirePayments(runtime)
  if (saveCard) requireRight(actor, "billing.automate")
  const row = await insertOnce(runtime, actor, { attempt, amountCents: topupCents(runtime, amountUsd), saveCard })
  if (row.checkoutUrl) return { checkoutUrl: row.checkoutUrl }
  const session = await createSession(runtime, payments, row).catch((cause: unknown) => {
    throw stripeUnreachable("Nothing was charged.", cause)
  })
  const checkoutUrl = await saveSession(runtime, row, session)
  if (!checkoutUrl)
    throw new ServiceError("invalid_request", { message: "This checkout has ended. Load the page again." })
  return { checkoutUrl }
}
