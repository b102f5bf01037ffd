import Stripe from "stripe"
import { getBalance } from "@/lib/server/billing/balance"
import { createPayments } from "@/lib/server/billing/payments"
import { pollEvents, pollTopups } from "@/lib/server/billing/poll-topups"
import { startTopup } from "@/lib/server/billing/start-topup"
import { receiveEvent } from "@/lib/server/billing/stripe-events"
import { findTopup, type TopupRow } from "@/lib/server/billing/topup"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { startStripe } from "@/test/doubles/stripe/start-stripe"
import { PRETEND_TEST_KEY, type StripeDouble, type StripeOptions } from "@/test/doubles/stripe/stripe-double"
import { afterFile } from "./after-file"
import { testRuntime } from "./database"
import { signUp } from "./sign-up"

export const WEBHOOK_SECRET = "whsec_current"
export const NEXT_WEBHOOK_SECRET = "whsec_next"
/** Long enough for a busy machine. */
const TIMEOUT_MS = 30_000
/** For requests that the double does not answer, so that tests of timeouts are short. */
export const UNANSWERED_MS = 600

/** Passes the double's events to the webhook, without HTTP. */
export const webhook = {
  to: (payload: string, signature: string): Promise<number> => receiveEvent(runtime(), Buffer.from(payload), signature),
  secrets: [WEBHOOK_SECRET],
}

function httpClientFor({ faults }: StripeDouble): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = (host, port, path, method, headers, data, protocol, timeoutMs) => {
    const isUnanswered = faults.hasTimeout(`${method} ${path.split("?", 1)[0]}`)
    return makeRequest(host, port, path, method, headers, data, protocol, isUnanswered ? UNANSWERED_MS : timeoutMs)
  }
  return client
}

/**
 * Connects the runtime to this Stripe double with an SDK client that does not retry. Replaces the runtime's payments, so
 * fetches in progress are dropped as by a restart.
 */
export function connectStripe(double: StripeDouble, config: Stripe.StripeConfig = {}): void {
  const app = runtime()
  const payments = createPayments({ ...app.env, STRIPE_API_BASE: double.url })
  if (!payments) throw new Error("the runtime has no Stripe key")
  payments.stripe = new Stripe(app.env.STRIPE_SECRET_KEY ?? "", {
    host: "127.0.0.1",
    port: new URL(double.url).port,
    protocol: "http",
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    httpClient: httpClientFor(double),
    ...config,
  })
  app.payments = payments
}

export async function testTopups(
  settings: Record<string, string> = {},
  options: StripeOptions = {},
): Promise<{ app: Runtime; double: StripeDouble; databaseUrl: string }> {
  const double = await startStripe({ webhook, retryDelaysMs: [], ...options })
  afterFile(() => double.stop())
  const { databaseUrl } = await testRuntime({
    STRIPE_SECRET_KEY: PRETEND_TEST_KEY,
    STRIPE_WEBHOOK_SECRET: `${WEBHOOK_SECRET}, ${NEXT_WEBHOOK_SECRET}`,
    STRIPE_API_BASE: double.url,
    WELCOME_CREDIT_USD: "0",
    ...settings,
  })
  connectStripe(double)
  return { app: runtime(), double, databaseUrl }
}

export const newOwner = (): Promise<UserActor> => signUp()

export interface Bought {
  id: string
  sessionId: string
  checkoutUrl: string
}

/** Opens a checkout. Two calls with the same `attempt` open one purchase. */
export async function buy(actor: UserActor, amountUsd = "25", attempt = newId(), saveCard = false): Promise<Bought> {
  const { checkoutUrl } = await startTopup(runtime(), actor, { attempt, amountUsd, saveCard })
  return { id: attempt, checkoutUrl, sessionId: new URL(checkoutUrl).pathname.split("/").at(-1) ?? "" }
}

/** Buys and pays a top-up of $25, plus tax, and waits until its events are delivered, unless the double holds them. */
export async function buyAndPay(double: StripeDouble, actor: UserActor): Promise<Bought & { payment: string }> {
  const bought = await buy(actor)
  const { payment_intent: payment } = double.pay(bought.sessionId)
  await double.idle()
  return { ...bought, payment: String(payment) }
}

export async function withoutEvents(double: StripeDouble, work: () => Promise<void>): Promise<void> {
  double.setDelivery("held")
  await work().finally(() => double.setDelivery("now"))
}

export async function rowOf(id: string): Promise<TopupRow> {
  const row = await findTopup(runtime().pool, "id", id)
  if (!row) throw new Error("no such top-up")
  return row
}

/** Makes every top-up due for a check, then runs both pollers once. */
export async function poll(): Promise<void> {
  const { pool } = runtime()
  await pool.query("UPDATE topup SET checked_at = now() - interval '1 day' WHERE checked_at > now() - interval '1 day'")
  await pollTopups(runtime())
  await pollEvents(runtime())
}

/** Returns the balance in dollars: with two decimals, or with all when it has a fraction of a cent. */
export async function dollars(actor: UserActor): Promise<string> {
  return (await getBalance(runtime(), actor)).balanceUsd.replace(/0{10}$/, "")
}

/** Returns an account's ledger entries, oldest first: `topup 25.00`. */
export async function entriesOf({ accountId }: UserActor): Promise<string[]> {
  const { rows } = await runtime().pool.query<{ entry: string }>(
    `SELECT kind || ' ' || round(amount_pico / 1e12, 2) AS entry FROM ledger_entry WHERE account_id = $1 ORDER BY id`,
    [accountId],
  )
  return rows.map(({ entry }) => entry)
}
