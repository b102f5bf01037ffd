import { topupUrl } from "@/lib/server/billing/topup-url"
import { type HoldRequest, placeHold } from "@/lib/server/ledger/place-hold"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { usd6Ceil, usd6Floor } from "@/lib/shared/money"
import { letGo } from "./let-go"
import { orAbort } from "./or-abort"

/**
 * Steps 6 and 7 of spec.md's order of checks. Throws `invalid_api_key`, `key_limit_reached` or `insufficient_balance`, or
 * the abort's reason. A hold whose reply did not come is let go: one that may still be placed, once it has been.
 */
export async function setAside(request: HoldRequest, signal: AbortSignal): Promise<void> {
  const placing = placeHold(request)
  const hold = await orAbort(placing, signal).catch(async (error) => {
    const free = () => letGo(request.id)
    const freed = placing.then(free, free)
    if (!signal.aborted) await freed
    throw error
  })
  switch (hold.outcome) {
    case "held":
      return
    case "revoked":
    case "expired_key":
      throw new ServiceError("invalid_api_key")
    case "key_limit":
      throw new ServiceError("key_limit_reached", {
        extra: { limit_usd: usd6Floor(hold.limitPico), resets_at: hold.resetsAt?.toISOString() ?? null },
      })
    case "insufficient":
      throw new ServiceError("insufficient_balance", {
        extra: {
          required_usd: usd6Ceil(hold.requiredPico),
          available_usd: usd6Floor(hold.availablePico),
          topup_url: topupUrl(runtime().env, hold.requiredPico, hold.availablePico),
        },
      })
  }
}
