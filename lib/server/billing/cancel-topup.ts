import Stripe from "stripe"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { TopupInput } from "@/lib/shared/billing/schema"
import { ServiceError } from "@/lib/shared/errors"
import type { Payments } from "./payments"
import { reconcileTopup } from "./reconcile-topup"
import { requirePayments, stripeUnreachable, topupNotFound } from "./refusals"
import { findTopup, type Topup, type TopupRow, toTopup } from "./topup"

const unreachable = (cause: unknown): ServiceError => stripeUnreachable("The checkout may still be open.", cause)

/** Fetches the state from Stripe, also of a checkout whose creation succeeded although its response was lost. */
async function settle(runtime: Runtime, topupId: string): Promise<TopupRow> {
  const row = await reconcileTopup(runtime, topupId).catch((cause: unknown) => Promise.reject(unreachable(cause)))
  if (!row) throw new Error("a top-up is never deleted")
  return row
}

/** Ends the session at Stripe. Stripe refuses that for a session that was paid or has expired. */
async function expire({ stripe }: Payments, sessionId: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(sessionId)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw unreachable(error)
  }
}

/**
 * Cancels the open checkout of a top-up, so that nobody can pay it any more. Returns the top-up: `expired`, or its status if it has no open
 * checkout any more, such as `paid`. Needs `billing.pay`. Throws `not_found`, `upstream_error` while Stripe is unreachable, and
 * `invalid_request` when Stripe refuses to cancel.
 */
export async function cancelTopup(runtime: Runtime, actor: UserActor, { id }: TopupInput): Promise<Topup> {
  requireRight(actor, "billing.pay")
  const payments = requirePayments(runtime)
  const uuid = parsePublicId("top", id)
  const known = uuid ? await findTopup(runtime.pool, "id", uuid) : null
  if (known?.accountId !== actor.accountId) throw topupNotFound()
  const row = await settle(runtime, known.id)
  if (row.status !== "open" || row.sessionId === null) return toTopup(row)
  // The intent is committed before Stripe is called, so that no checkout ends without its audit row, not even after a crash.
  await recordAudit(runtime.pool, actor, { action: "topup.cancel", subject: id })
  await expire(payments, row.sessionId)
  const after = await settle(runtime, row.id)
  if (after.status !== "open") return toTopup(after)
  throw new ServiceError("invalid_request", {
    message: "Stripe refused to cancel this checkout. A payment may be in progress. Try again in a minute.",
  })
}
