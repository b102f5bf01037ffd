import Stripe from "stripe"
import { afterEach, beforeEach } from "vitest"
import { startStripe } from "./start-stripe"
import { PRETEND_TEST_KEY, type StripeDouble } from "./stripe-double"

export const WEBHOOK_SECRET = "whsec_one"
const START_MS = Date.UTC(2026, 10, 21)
const TIMEOUT_MS = 300

export interface StripeSetting {
  double: StripeDouble
  /** The SDK with the test key and without retries. */
  stripe: Stripe
  nowMs: number
  /** The events that the endpoint received, and the statuses that it returns next. Default: 200. */
  received: { payload: string; signature: string }[]
  answers: number[]
  receive(payload: string, signature: string): Promise<number>
  connect(key: string, options?: { retries?: number; url?: string }): Stripe
}

export function stripeForEachTest(): StripeSetting {
  const setting: Omit<StripeSetting, "double" | "stripe"> = {
    nowMs: START_MS,
    received: [],
    answers: [],
    receive: async (payload, signature) => {
      setting.received.push({ payload, signature })
      return setting.answers.shift() ?? 200
    },
    connect: (key, { retries = 0, url = made.double.url } = {}) =>
      new Stripe(key, {
        host: "127.0.0.1",
        port: new URL(url).port,
        protocol: "http",
        maxNetworkRetries: retries,
        timeout: TIMEOUT_MS,
        telemetry: false,
      }),
  }
  const made = setting as StripeSetting
  beforeEach(async () => {
    Object.assign(made, { nowMs: START_MS, received: [], answers: [] })
    const webhook = { to: made.receive, secrets: [WEBHOOK_SECRET] }
    made.double = await startStripe({ webhook, retryDelaysMs: [], now: () => made.nowMs })
    made.stripe = made.connect(PRETEND_TEST_KEY)
  })
  afterEach(() => made.double.stop())
  return made
}

export const sessionParams = (more: Stripe.Checkout.SessionCreateParams = {}): Stripe.Checkout.SessionCreateParams => ({
  mode: "payment",
  line_items: [
    {
      quantity: 1,
      price_data: { currency: "usd", unit_amount: 2500, tax_behavior: "exclusive", product_data: { name: "Credit" } },
    },
  ],
  client_reference_id: "top_1",
  success_url: "http://localhost:3000/done?session={CHECKOUT_SESSION_ID}",
  cancel_url: "http://localhost:3000/left",
  ...more,
})

export const open = ({ stripe }: StripeSetting, more: Stripe.Checkout.SessionCreateParams = {}) =>
  stripe.checkout.sessions.create(sessionParams(more))

export async function paid(setting: StripeSetting, more: Stripe.Checkout.SessionCreateParams = {}): Promise<string> {
  const { id } = await open(setting, more)
  return String(setting.double.pay(id).payment_intent)
}

export const refusal = (work: Promise<unknown>): Promise<Stripe.errors.StripeError | null> =>
  work.then(
    () => null,
    (error) => error,
  )

export const typesSent = ({ received }: StripeSetting): string[] =>
  received.map(({ payload }) => JSON.parse(payload).type)
