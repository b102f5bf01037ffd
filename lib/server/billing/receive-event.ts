import type Stripe from "stripe"
import { runtime } from "@/lib/server/platform/runtime"
import type { Payments } from "./payments"
import { reconcileTopup } from "./reconcile-topup"
import { topupOfEvent } from "./topup-of-event"

/** 200: done or not ours. 400: not from Stripe. 404: top-ups are off. 500: we failed, Stripe is to send it again. */
export type EventStatus = 200 | 400 | 404 | 500

function verify({ stripe, webhookSecrets }: Payments, body: Buffer, signature: string): Stripe.Event | null {
  for (const secret of webhookSecrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature, secret)
    } catch {
      // The other secret may fit while one is being rotated out.
    }
  }
  return null
}

/** Takes one webhook of Stripe: raw body and `stripe-signature`. What it reports is read from Stripe, never from the event. */
export async function receiveEvent(body: Buffer, signature: string | null): Promise<EventStatus> {
  const { payments, log } = runtime()
  if (!payments) return 404
  const event = signature ? verify(payments, body, signature) : null
  if (!event) {
    log.warn("a webhook was refused: its signature is missing, old or wrong")
    return 400
  }
  if (event.livemode !== payments.livemode) {
    log.warn("a webhook of the other mode was ignored", { reason: event.livemode ? "live" : "test" })
    return 200
  }
  try {
    const topupId = await topupOfEvent(payments, event)
    if (topupId) await reconcileTopup(topupId)
    return 200
  } catch (cause) {
    log.error("a webhook failed and will come again", { cause })
    return 500
  }
}
