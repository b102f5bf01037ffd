import Stripe from "stripe"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Payments } from "./payments"

type OwnerRow = Row<"User", "email"> & { customer: string | null }

async function findOwner({ pool }: Runtime, accountId: string): Promise<OwnerRow> {
  const { rows } = await pool.query<OwnerRow>(
    `SELECT a.stripe_customer_id AS customer, u.email FROM account a
     JOIN member m ON m.account_id = a.id AND m.role = 'owner' JOIN app_user u ON u.id = m.user_id
     WHERE a.id = $1 ORDER BY m.created_at LIMIT 1`,
    [accountId],
  )
  if (!rows[0]) throw new Error("the account has no owner")
  return rows[0]
}

/**
 * Returns the id of the account's Stripe customer, which keeps tax ids and billing details. The first call creates it.
 * `missing` is a stored customer that Stripe does not have, such as one of the test mode. It is replaced.
 */
export async function ensureCustomer(
  runtime: Runtime,
  { stripe }: Payments,
  accountId: string,
  missing?: string,
): Promise<string> {
  const { customer: known, email } = await findOwner(runtime, accountId)
  if (known && known !== missing) return known
  const params = { email, metadata: { account: accountId } }
  const once = missing ? {} : { idempotencyKey: `customer:${accountId}` }
  const created = await stripe.customers.create(params, once).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeConnectionError) throw error
    // Without an idempotency key, for which Stripe would repeat a 500 for a day. An extra, unused customer does no harm.
    return stripe.customers.create(params)
  })
  const { rows } = await runtime.pool.query<{ customer: string }>(
    `UPDATE account SET stripe_customer_id = CASE WHEN stripe_customer_id IS DISTINCT FROM $3 THEN stripe_customer_id ELSE $2 END
     WHERE id = $1 RETURNING stripe_customer_id AS customer`,
    [accountId, created.id, known],
  )
  return rows[0]?.customer ?? created.id
}

/** Returns whether Stripe refused a request because it does not have the customer. */
export const isCustomerGone = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === "resource_missing" && error.param === "customer"
