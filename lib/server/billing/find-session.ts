import type Stripe from "stripe"
import { runtime } from "@/lib/server/platform/runtime"
import type { Payments } from "./payments"
import type { TopupRow } from "./topup-row"

const RECENT = 100

/** The checkout session that was made for a top-up although its answer never reached us, or null. */
export async function findSession({ stripe }: Payments, topup: TopupRow): Promise<Stripe.Checkout.Session | null> {
  const { rows } = await runtime().pool.query<{ customer: string | null }>(
    "SELECT stripe_customer_id AS customer FROM account WHERE id = $1",
    [topup.accountId],
  )
  const customer = rows[0]?.customer
  if (!customer) return null
  const { data } = await stripe.checkout.sessions.list({ customer, limit: RECENT })
  return data.find((session) => session.client_reference_id === topup.id) ?? null
}
