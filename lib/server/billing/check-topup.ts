import { setTimeout } from "node:timers/promises"
import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { TopupInput } from "@/lib/shared/billing/schema"
import { ServiceError } from "@/lib/shared/errors"
import { getBalance } from "./get-balance"
import { reconcileTopup } from "./reconcile-topup"
import { type Topup, toTopup } from "./topup"
import { findTopup, type TopupRow } from "./topup-row"

export interface CheckedTopup {
  topup: Topup
  balanceUsd: string
}

const STRIPE_WITHIN_MS = 3_000

const missing = () => new ServiceError("not_found", { message: "This account has no such top-up." })

/** Stripe's word, when it comes in good time; else our own row: the page asks again, and the poller does without it. */
async function settledSoon(row: TopupRow): Promise<TopupRow> {
  const asked = reconcileTopup(row.id).catch((cause: unknown) => {
    runtime().log.warn("Stripe did not tell of a top-up that its page waits for", { accountId: row.accountId, cause })
    return null
  })
  const late = new AbortController()
  const patience = setTimeout(STRIPE_WITHIN_MS, null, { signal: late.signal }).catch(() => null)
  const answer = await Promise.race([asked, patience])
  late.abort()
  return answer ?? (await findTopup(runtime().pool, "id", row.id)) ?? row
}

async function checked(actor: UserActor, row: TopupRow | null): Promise<CheckedTopup> {
  if (row?.accountId !== actor.accountId) throw missing()
  // The browser's return is a hint, never a proof.
  const after = await settledSoon(row)
  return { topup: toTopup(after), balanceUsd: (await getBalance(actor)).balanceUsd }
}

/** What became of one of the account's top-ups, settled first if Stripe has news; with the balance as it then is. */
export async function checkTopup(actor: UserActor, { id }: TopupInput): Promise<CheckedTopup> {
  const uuid = parsePublicId("top", id)
  if (!uuid) throw missing()
  return checked(actor, await findTopup(runtime().pool, "id", uuid))
}

/** The same by the session id that Stripe puts into the address of the return page. */
export async function checkReturn(actor: UserActor, sessionId: string): Promise<CheckedTopup> {
  return checked(actor, await findTopup(runtime().pool, "sessionId", sessionId))
}
