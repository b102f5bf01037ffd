import "server-only"
import { runtime } from "../runtime"
import type { Payments } from "./payments"

interface OwnerRow {
  customer: string | null
  email: string
}

/** The account's customer at Stripe, made on its first top-up: it keeps tax ids and billing details, so that we need not. */
export async function ensureCustomer({ stripe }: Payments, accountId: string): Promise<string> {
  const { pool } = runtime()
  const { rows } = await pool.query<OwnerRow>(
    `SELECT a.stripe_customer_id AS customer, u.email FROM account a
     JOIN member m ON m.account_id = a.id AND m.role = 'owner' JOIN app_user u ON u.id = m.user_id
     WHERE a.id = $1 ORDER BY m.created_at LIMIT 1`,
    [accountId],
  )
  const [owner] = rows
  if (!owner) throw new Error("an account has an owner")
  if (owner.customer) return owner.customer
  const customer = await stripe.customers.create(
    { email: owner.email, metadata: { account: accountId } },
    { idempotencyKey: `customer:${accountId}` },
  )
  const saved = await pool.query<{ customer: string }>(
    `UPDATE account SET stripe_customer_id = coalesce(stripe_customer_id, $2) WHERE id = $1
     RETURNING stripe_customer_id AS customer`,
    [accountId, customer.id],
  )
  return saved.rows[0]?.customer ?? customer.id
}
