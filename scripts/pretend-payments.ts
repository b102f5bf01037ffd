import { readEnv } from "@/lib/server/platform/env"
import { startStripe } from "@/test/doubles/stripe/start-stripe"
import { PRETEND_TEST_KEY } from "@/test/doubles/stripe/stripe-double"

const SECRET = "whsec_pretend"
const TAX_PERCENT = 19

/**
 * Starts the Stripe double in this process and returns its URL and the settings that point to it. It keeps everything in
 * memory. Throws for a service that others can reach.
 */
export async function pretendPayments(environment: Record<string, string | undefined>) {
  const real = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE"]
  const given = Object.entries(environment).filter(([name]) => !real.includes(name))
  const { CONSOLE_URL, isLoopback } = readEnv(Object.fromEntries(given))
  if (!isLoopback) throw new Error(`--pretend-payments is for this machine only, and CONSOLE_URL is ${CONSOLE_URL}`)
  const webhook = { to: `${CONSOLE_URL}/api/stripe/webhook`, secrets: [SECRET] }
  const double = await startStripe({ webhook, taxPercent: TAX_PERCENT })
  return {
    url: double.url,
    settings: { STRIPE_SECRET_KEY: PRETEND_TEST_KEY, STRIPE_WEBHOOK_SECRET: SECRET, STRIPE_API_BASE: double.url },
    stop: () => double.stop(),
  }
}
