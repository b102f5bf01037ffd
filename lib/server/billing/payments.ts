import Stripe from "stripe"
import type { Env } from "@/lib/server/platform/env"
import { outboundFetch } from "@/lib/server/platform/outbound"
import type { TopupRow } from "./topup"

/**
 * Runs one job at a time per key. Calls during a run share the next run, because the current one may have started before the
 * change that the callers were notified of.
 */
export class OneAtATime<Result> {
  readonly #running = new Map<string, Promise<Result>>()
  readonly #next = new Map<string, Promise<Result>>()

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const next = this.#next.get(key)
    if (next) return next
    const running = this.#running.get(key)
    if (!running) return this.#start(key, work)
    const begin = () => {
      this.#next.delete(key)
      return this.#start(key, work)
    }
    const queued = running.then(begin, begin)
    this.#next.set(key, queued)
    return queued
  }

  #start(key: string, work: () => Promise<Result>): Promise<Result> {
    const run = work().finally(() => this.#running.delete(key))
    this.#running.set(key, run)
    return run
  }
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Null while top-ups are off, because the operator has set no Stripe key. */
    payments: Payments | null
  }
}

export interface Payments {
  stripe: Stripe
  /** Whether the key is of Stripe's live mode, which moves real money. Objects of the other mode are refused. */
  livemode: boolean
  /** Usually one secret; two while the operator rotates it. */
  webhookSecrets: string[]
  automaticTax: boolean
  /** The running fetches from Stripe, by top-up. Webhook, return page and poller often start one at the same time. */
  fetches: OneAtATime<TopupRow | null>
}

const secretsOf = (setting: string): string[] =>
  setting
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")

/** Connects to Stripe, or to a test double at `STRIPE_API_BASE`. Returns null without `STRIPE_SECRET_KEY`. */
export function createPayments(env: Env): Payments | null {
  if (!env.STRIPE_SECRET_KEY) return null
  const base = env.STRIPE_API_BASE ? new URL(env.STRIPE_API_BASE) : null
  const protocol = base?.protocol === "http:" ? "http" : "https"
  const stripe = new Stripe(env.STRIPE_SECRET_KEY, {
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    ...(env.HTTPS_PROXY ? { httpClient: Stripe.createFetchHttpClient(outboundFetch(env)) } : {}),
    ...(base ? { protocol, host: base.hostname, port: base.port || (protocol === "http" ? 80 : 443) } : {}),
  })
  return {
    stripe,
    livemode: /^[sr]k_live_/.test(env.STRIPE_SECRET_KEY),
    webhookSecrets: secretsOf(env.STRIPE_WEBHOOK_SECRET ?? ""),
    automaticTax: env.STRIPE_AUTOMATIC_TAX === "on",
    fetches: new OneAtATime(),
  }
}
