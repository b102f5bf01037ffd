import type Stripe from "stripe"
import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { CheckoutInput } from "@/lib/shared/billing/schema"
import { ServiceError } from "@/lib/shared/errors"
import { ensureCustomer, isCustomerGone } from "./ensure-customer"
import type { Payments } from "./payments"
import { expanded, ForeignCheckout, retrieveSession } from "./read-checkout"
import { requirePayments, stripeUnreachable } from "./refusals"
import { cardOf, saveCard } from "./saved-card"

const PAGE = "/billing/auto-top-up"

/**
 * Opens a Stripe Checkout that saves a card without a payment, and returns its address. No card is stored before it is entered there.
 * Needs `billing.automate` and a recent sign-in.
 */
export async function startCardSession(runtime: Runtime, actor: UserActor): Promise<{ checkoutUrl: string }> {
  requireRight(actor, "billing.automate")
  requireConfirmed(actor, "startCardSession")
  const payments = requirePayments(runtime)
  const { CONSOLE_URL } = runtime.env
  const open = (customer: string) =>
    payments.stripe.checkout.sessions.create({
      mode: "setup",
      customer,
      metadata: { user: actor.userId },
      allowed_payment_method_types: ["card"],
      // Stripe Tax needs an address, and there may be no earlier payment that asked for one.
      billing_address_collection: payments.automaticTax ? "required" : "auto",
      success_url: `${CONSOLE_URL}${PAGE}?card={CHECKOUT_SESSION_ID}`,
      cancel_url: `${CONSOLE_URL}${PAGE}`,
    })
  const openForAccount = async () => {
    const customer = await ensureCustomer(runtime, payments, actor.accountId)
    return open(customer).catch(async (error: unknown) => {
      if (!isCustomerGone(error)) throw error
      return open(await ensureCustomer(runtime, payments, actor.accountId, customer))
    })
  }
  const session = await openForAccount().catch((cause: unknown) => {
    throw stripeUnreachable("No card was saved.", cause)
  })
  if (!session.url) throw new ServiceError("upstream_error", { message: "Stripe opened no page. Try again." })
  return { checkoutUrl: session.url }
}

const EXPANDED = ["setup_intent.payment_method", "customer"]

async function accountOf({ pool }: Runtime, customerId: string | undefined): Promise<string | null> {
  const { rows } = await pool.query<Row<"Account", "id">>("SELECT id FROM account WHERE stripe_customer_id = $1", [
    customerId ?? null,
  ])
  return rows[0]?.id ?? null
}

/** Gives a customer without an address the one of the card, because Stripe Tax needs it. */
async function completeAddress(
  { stripe, automaticTax }: Payments,
  customer: Stripe.Customer,
  address: Stripe.Address | null | undefined,
): Promise<void> {
  if (!automaticTax || customer.address?.country || !address?.country) return
  const { city, country, line1, line2, postal_code, state } = address
  const known = Object.entries({ city, country, line1, line2, postal_code, state }).filter(([, value]) => value)
  await stripe.customers.update(customer.id, { address: Object.fromEntries(known) })
}

/**
 * Saves the card of a completed session for the account whose customer Stripe names. Any number of calls save it once. Returns
 * the account's id. Null for a session that is not complete, saves no card or has no account. Throws `ForeignCheckout`.
 */
export async function settleCardSession(
  runtime: Runtime,
  payments: Payments,
  sessionId: string,
): Promise<string | null> {
  const session = await retrieveSession(payments.stripe, sessionId, EXPANDED)
  const customer = expanded<Stripe.Customer | Stripe.DeletedCustomer>(session.customer)
  if (session.mode !== "setup" || session.status !== "complete" || !customer || customer.deleted) return null
  const method = expanded<Stripe.PaymentMethod>(expanded<Stripe.SetupIntent>(session.setup_intent)?.payment_method)
  const card = cardOf(method)
  const accountId = await accountOf(runtime, customer.id)
  if (!card || !accountId || session.livemode !== payments.livemode) return null
  const userId = session.metadata?.user ?? null
  await completeAddress(payments, customer, method?.billing_details.address)
  await inTransaction(runtime.pool, (client) => saveCard(client, { accountId, userId }, card))
  return accountId
}

/**
 * Saves the card of the session that Stripe adds to the address of the return page. Returns whether a card of the actor's
 * account was saved. An unknown session and another account's return false, and so does a failure: the webhook saves the card later.
 */
export async function checkCardReturn(
  runtime: Runtime,
  actor: UserActor,
  { sessionId }: CheckoutInput,
): Promise<boolean> {
  requireRight(actor, "billing.automate")
  const { payments, log } = runtime
  if (!payments) return false
  try {
    return (await settleCardSession(runtime, payments, sessionId)) === actor.accountId
  } catch (cause) {
    if (!(cause instanceof ForeignCheckout))
      log.warn("A saved card could not be read from Stripe", { event: "card.refresh_failed", cause })
    return false
  }
}
