import Stripe from "stripe"
import type { Env } from "@/lib/server/platform/env"
import { OneAtATime } from "./one-at-a-time"
import type { TopupRow } from "./topup-row"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Null while top-ups are off. */
    payments: Payments | null
  }
}

/** The way to Stripe, made once per process; null in the runtime while the operator has set no key: top-ups are off. */
export interface Payments {
  stripe: Stripe
  /** Whether our key moves real money. Objects of the other mode are refused. */
  livemode: boolean
  /** Two while one is being rotated out. */
  webhookSecrets: string[]
  automaticTax: boolean
  /** The readings of Stripe under way, by top-up: webhook, return page and poller often ask at once. */
  readings: OneAtATime<TopupRow | null>
}

const secretsOf = (setting: string): string[] =>
  setting
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")

/** Connects to Stripe, or to a stand-in at `STRIPE_API_BASE`. */
export function createPayments(env: Env): Payments | null {
  if (!env.STRIPE_SECRET_KEY) return null
  const base = env.STRIPE_API_BASE ? new URL(env.STRIPE_API_BASE) : null
  const protocol = base?.protocol === "http:" ? "http" : "https"
  const stripe = new Stripe(env.STRIPE_SECRET_KEY, {
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    ...(base ? { protocol, host: base.hostname, port: base.port || (protocol === "http" ? 80 : 443) } : {}),
  })
  return {
    stripe,
    livemode: /^[sr]k_live_/.test(env.STRIPE_SECRET_KEY),
    webhookSecrets: secretsOf(env.STRIPE_WEBHOOK_SECRET ?? ""),
    automaticTax: env.STRIPE_AUTOMATIC_TAX === "on",
    readings: new OneAtATime(),
  }
}
