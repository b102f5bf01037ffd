import Stripe from "stripe"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { StartTopupInput } from "@/lib/shared/billing/schema"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { parseUsd, pico } from "@/lib/shared/money"
import { ensureCustomer } from "./ensure-customer"
import { findSession } from "./find-session"
import type { Payments } from "./payments"
import { requireOwner } from "./require-owner"
import { findTopup, type TopupRow } from "./topup-row"

const PICO_PER_CENT = 10_000_000_000n
const SESSION_SECONDS = 3_600
// Stripe opens no session that ends in less than half an hour.
const ATTEMPT_MS = 25 * 60_000

/** The payments of this process; throws in words while top-ups are off. */
function requirePayments(): Payments {
  const { payments } = runtime()
  if (!payments)
    throw new ServiceError("forbidden", { message: "Top-ups are off. Ask the operator of this service for credit." })
  return payments
}

function centsOf(amountUsd: string): number {
  const { TOPUP_MIN_USD, TOPUP_MAX_USD } = runtime().env
  const amount = parseUsd(amountUsd) ?? pico(0)
  if (amount >= TOPUP_MIN_USD && amount <= TOPUP_MAX_USD) return Number(amount / PICO_PER_CENT)
  const message = `Enter an amount from ${formatExactUsd(TOPUP_MIN_USD)} to ${formatExactUsd(TOPUP_MAX_USD)}.`
  throw new ServiceError("invalid_request", { param: "amountUsd", message })
}

// Each costs a request to Stripe and a line of the audit log, which never goes away.
const MOST_AN_HOUR = 100
const INSERT = `
  INSERT INTO topup (id, account_id, user_id, amount_cents) SELECT $1, $2, $3, $4
  WHERE (SELECT count(*) FROM topup WHERE account_id = $2 AND created_at > now() - interval '1 hour') < $5
  ON CONFLICT (id) DO NOTHING`

async function insertOnce(actor: UserActor, id: string, amountCents: number): Promise<TopupRow> {
  const row = await inTransaction(runtime().pool, async (client) => {
    const { rowCount } = await client.query(INSERT, [id, actor.accountId, actor.userId, amountCents, MOST_AN_HOUR])
    if (rowCount === 1)
      await recordAudit(client, {
        accountId: actor.accountId,
        actor: `user:${actor.userId}`,
        action: "topup.start",
        subject: publicId("top", id),
        clientAddress: actor.clientAddress,
      })
    return findTopup(client, "id", id)
  })
  if (!row) throw new ServiceError("rate_limited", { message: "Too many checkouts were opened. Try again in an hour." })
  const ageMs = Date.now() - row.createdAt.getTime()
  const isOpen =
    (row.status === "open" && ageMs < SESSION_SECONDS * 1000) || (row.status === "created" && ageMs < ATTEMPT_MS)
  if (row.accountId !== actor.accountId || row.amountCents !== amountCents || !isOpen)
    throw new ServiceError("invalid_request", { message: "This page is out of date. Load it again." })
  return row
}

function sessionParams(row: TopupRow, customer: string, automaticTax: boolean): Stripe.Checkout.SessionCreateParams {
  const { CONSOLE_URL } = runtime().env
  return {
    mode: "payment",
    client_reference_id: row.id,
    metadata: { topup: row.id },
    payment_intent_data: { metadata: { topup: row.id } },
    customer,
    customer_update: { address: "auto", name: "auto" },
    tax_id_collection: { enabled: true },
    automatic_tax: { enabled: automaticTax },
    invoice_creation: { enabled: true },
    // Credit is in dollars: what is paid and refunded is to be in dollars too.
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: "usd",
          unit_amount: row.amountCents,
          tax_behavior: "exclusive",
          product_data: { name: "Decision service credit" },
        },
      },
    ],
    // The same for every try of this top-up: Stripe refuses an idempotency key with other parameters.
    expires_at: Math.floor(row.createdAt.getTime() / 1000) + SESSION_SECONDS,
    success_url: `${CONSOLE_URL}/billing/top-up/return?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${CONSOLE_URL}/billing/top-up?amount=${(row.amountCents / 100).toFixed(2)}`,
  }
}

/** True when Stripe may still be at work with it: the same key again then answers the same session. */
const mayYetSucceed = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  (error instanceof Stripe.errors.StripeError && error.statusCode === 409)

const isCustomerGone = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === "resource_missing" && error.param === "customer"

/** Stripe replays a saved 500 for a key: then the session is looked for, and only if there is none a second key is tried. */
async function createSession(payments: Payments, row: TopupRow): Promise<Stripe.Checkout.Session> {
  const { stripe, automaticTax } = payments
  const create = (customer: string, idempotencyKey: string) =>
    stripe.checkout.sessions.create(sessionParams(row, customer, automaticTax), { idempotencyKey })
  const customer = await ensureCustomer(payments, row.accountId)
  try {
    return await create(customer, `topup:${row.id}`)
  } catch (error) {
    if (mayYetSucceed(error)) throw error
    if (isCustomerGone(error))
      return create(await ensureCustomer(payments, row.accountId, customer), `topup:${row.id}:2`)
    return (await findSession(payments, row)) ?? create(customer, `topup:${row.id}:2`)
  }
}

/** The one address at which this top-up is paid: whichever session was saved first, should there ever be two. */
async function saveSession(row: TopupRow, session: Stripe.Checkout.Session): Promise<string | null> {
  const { pool } = runtime()
  const { rowCount } = await pool.query(
    `UPDATE topup SET session_id = $2, checkout_url = $3, status = 'open', version = version + 1
     WHERE id = $1 AND session_id IS NULL`,
    [row.id, session.id, session.url],
  )
  return rowCount === 1 ? session.url : ((await findTopup(pool, "id", row.id))?.checkoutUrl ?? null)
}

/**
 * Opens a Stripe Checkout for a purchase of credit and answers the address to pay at. For the account's owners; amount and
 * account come from our own row ever after. The same `attempt` again answers the same checkout.
 */
export async function startTopup(actor: UserActor, input: StartTopupInput): Promise<{ checkoutUrl: string }> {
  requireOwner(actor, "top it up")
  const payments = requirePayments()
  const { attempt, amountUsd } = StartTopupInput.parse(input)
  const row = await insertOnce(actor, attempt, centsOf(amountUsd))
  if (row.checkoutUrl) return { checkoutUrl: row.checkoutUrl }
  const session = await createSession(payments, row).catch((cause: unknown) => {
    const message = "Stripe could not be reached. Nothing was charged. Try again in a moment."
    throw new ServiceError("upstream_error", { message, cause })
  })
  const checkoutUrl = await saveSession(row, session)
  if (!checkoutUrl)
    throw new ServiceError("invalid_request", { message: "This checkout has ended. Load the page again." })
  return { checkoutUrl }
}
