import { topupUrl } from "@/lib/server/billing/topup-terms"
import type { Engine } from "@/lib/server/engines/engine"
import type { ModelEngines } from "@/lib/server/engines/engine-group"
import { totalTokens } from "@/lib/server/engines/token-count"
import type { HoldOutcome, HoldRequest } from "@/lib/server/ledger/held-request"
import { placeHold, releaseHold } from "@/lib/server/ledger/hold"
import type { IdempotencyKey } from "@/lib/server/ledger/idempotency-claims"
import type { CatalogueModel } from "@/lib/server/models/catalogue"
import type { Payer } from "@/lib/server/platform/actor"
import type { Authorize } from "@/lib/server/platform/authority"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, reservedTokens, usd6Ceil, usd6Floor } from "@/lib/shared/money"
import { type RequestFacts, timedStage } from "./request-facts"

interface Call {
  requestId: string
  actor: Payer
  authorize: Authorize
  signal: AbortSignal
  facts?: RequestFacts
}

interface Reservation {
  model: CatalogueModel
  pricePico: Pico
  engines: ModelEngines
  key: IdempotencyKey | null
  tags: readonly string[]
}

/**
 * Places the hold of a request, or throws its refusal. Holds an upper bound of the tokens where the engine has one. Near a limit, and
 * without a bound, they are counted first, so that a request is refused only if it cannot be paid.
 */
export async function reserve(
  runtime: Runtime,
  call: Call,
  request: CheckedRequest,
  { model, pricePico, engines, key, tags }: Reservation,
): Promise<void> {
  const { requestId: id, actor, signal, authorize } = call
  const hold = { id, actor, modelId: model.id, pricePico, isKeyed: key !== null, tags }
  const place = (tokens: number, isBound: boolean) =>
    timedStage(runtime, call.facts, "hold", () =>
      placeHold(runtime, { ...hold, maxTokens: reservedTokens(tokens, pricePico), isBound }, signal),
    )
  const count = (engine: Engine) => engine.countTokens(request, signal, { accountId: actor.accountId, authorize })
  const bound = await engines.withoutPlace((engine) => engine.maxTokens(request))
  const placed = bound === null ? null : await place(bound, true)
  if (placed && placed.outcome !== "near") return requireHeld(runtime, placed)
  const tokens = await countFirst(runtime, call, hold, async () => totalTokens(await engines.withoutPlace(count)))
  requireHeld(runtime, await place(tokens, false))
}

/**
 * Returns the tokens that `count` counts before the hold. The end of authority and steps 6 and 7 come before an error of the count, so
 * it is thrown only if a hold of one token is possible.
 */
async function countFirst(
  runtime: Runtime,
  { signal, authorize }: Call,
  hold: Omit<HoldRequest, "maxTokens">,
  count: () => Promise<number>,
): Promise<number> {
  try {
    return await count()
  } catch (failure) {
    signal.throwIfAborted()
    await authorize()
    requireHeld(runtime, await placeHold(runtime, { ...hold, maxTokens: 1 }, signal))
    await releaseHold(runtime, { id: hold.id, accountId: hold.actor.accountId })
    throw failure
  }
}

/**
 * Performs steps 6 and 7 of the order of checks: throws `invalid_api_key`, `key_limit_reached` or
 * `insufficient_balance` for a refused hold.
 */
function requireHeld({ env }: Runtime, hold: HoldOutcome): void {
  switch (hold.outcome) {
    case "held":
      return
    case "near":
      throw new Error("a hold of exact tokens is never near a limit")
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
          topup_url: topupUrl(env, hold.requiredPico, hold.availablePico),
        },
      })
  }
}
