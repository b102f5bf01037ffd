import { setTimeout } from "node:timers/promises"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { CheckoutInput, TopupInput } from "@/lib/shared/billing/schema"
import { getBalance } from "./balance"
import { reconcileTopup } from "./reconcile-topup"
import { topupNotFound } from "./refusals"
import { findTopup, type Topup, type TopupRow, toTopup } from "./topup"

export interface CheckedTopup {
  topup: Topup
  balanceUsd: string
}

const STRIPE_WITHIN_MS = 3_000

/** Settles the top-up with Stripe. After 3 s returns the stored row: the page checks again, and the poller settles the top-up. */
async function settleSoon(runtime: Runtime, row: TopupRow): Promise<TopupRow> {
  const settled = reconcileTopup(runtime, row.id).catch((cause: unknown) => {
    const fields = { event: "topup.refresh_failed", accountId: row.accountId, cause }
    runtime.log.warn("A top-up could not be refreshed from Stripe", fields)
    return null
  })
  const timer = new AbortController()
  const timeout = setTimeout(STRIPE_WITHIN_MS, null, { signal: timer.signal }).catch(() => null)
  const latest = await Promise.race([settled, timeout])
  timer.abort()
  return latest ?? (await findTopup(runtime.pool, "id", row.id)) ?? row
}

async function settleOwn(runtime: Runtime, actor: UserActor, row: TopupRow | null): Promise<CheckedTopup> {
  if (row?.accountId !== actor.accountId) throw topupNotFound()
  // Opening the return page proves no payment. Only Stripe's records do.
  const after = await settleSoon(runtime, row)
  return { topup: toTopup(after), balanceUsd: (await getBalance(runtime, actor)).balanceUsd }
}

/**
 * Settles a top-up of the actor's account and returns it with the new balance. While Stripe does not respond, returns it as it is stored.
 * Needs `billing.read`. Throws `not_found`.
 */
export async function checkTopup(runtime: Runtime, actor: UserActor, input: TopupInput): Promise<CheckedTopup> {
  requireRight(actor, "billing.read")
  const uuid = parsePublicId("top", input.id)
  if (!uuid) throw topupNotFound()
  return settleOwn(runtime, actor, await findTopup(runtime.pool, "id", uuid))
}

/** Does the same as `checkTopup`, by the session id that Stripe adds to the address of the return page. */
export async function checkReturn(
  runtime: Runtime,
  actor: UserActor,
  { sessionId }: CheckoutInput,
): Promise<CheckedTopup> {
  requireRight(actor, "billing.read")
  return settleOwn(runtime, actor, await findTopup(runtime.pool, "sessionId", sessionId))
}
