import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { OutcomeRequest } from "@/lib/shared/outcomes/outcome-request"
import { storeOutcomes } from "./store-outcomes"

/**
 * Stores outcomes of a file that a user chose, under the rules and the rate limit of `POST /v1/outcomes`. Needs `outcomes.manage`.
 * Throws what `storeOutcomes` throws, and `rate_limited`.
 */
export async function uploadOutcomes(
  runtime: Runtime,
  actor: UserActor,
  request: OutcomeRequest,
): Promise<{ stored: number }> {
  requireRight(actor, "outcomes.manage")
  await requireWithinRate(runtime, "outcomes", actor.accountId)
  return storeOutcomes(runtime, actor, request, (client) => recordAudit(client, actor, { action: "outcomes.upload" }))
}
