import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Payments } from "./payments"

/** The statuses in which Stripe holds the disputed money and has not decided yet. */
const IS_OPEN = new Set(["needs_response", "under_review"])
// Few accounts ever have a disputed payment. A payment whose dispute was won has no debit any more.
const DISPUTED = `
  SELECT payment_intent_id AS payment FROM topup
  WHERE account_id = $1 AND dispute_debit_cents > 0 AND payment_intent_id IS NOT NULL ORDER BY created_at DESC`

async function isOpen({ stripe }: Payments, paymentIntentId: string): Promise<boolean> {
  const disputes = stripe.disputes.list({ payment_intent: paymentIntentId, limit: 100 })
  for await (const { status } of disputes) if (IS_OPEN.has(status)) return true
  return false
}

/**
 * Returns whether a payment of the account is disputed and Stripe has not settled the dispute yet. Asks Stripe, but only for an
 * account with a disputed payment. Rejects when Stripe is unreachable.
 */
export async function hasOpenDispute({ pool }: Runtime, payments: Payments, accountId: string): Promise<boolean> {
  const { rows } = await pool.query<{ payment: string }>(DISPUTED, [accountId])
  for (const { payment } of rows) if (await isOpen(payments, payment)) return true
  return false
}

/** Returns the same for the console, or null when Stripe is unreachable or top-ups are off. Needs `billing.read`. */
export async function checkOpenDispute(runtime: Runtime, actor: AccountActor): Promise<boolean | null> {
  requireRight(actor, "billing.read")
  const { payments, log } = runtime
  if (!payments) return null
  return hasOpenDispute(runtime, payments, actor.accountId).catch((cause: unknown) => {
    log.warn("The disputes of an account could not be read from Stripe", { event: "dispute.refresh_failed", cause })
    return null
  })
}
