import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { SpendSample } from "@/lib/shared/keys/plan-limit"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { pico, usd12, usdPerMillion } from "@/lib/shared/money"

/** What the last ten charged decisions of the actor's account cost. */
export async function sampleSpend(actor: UserActor): Promise<SpendSample> {
  const { rows } = await runtime().pool.query<{ count: string; total: string }>(
    `SELECT count(*), coalesce(-sum(amount_pico), 0) AS total FROM (
       SELECT amount_pico FROM ledger_entry WHERE account_id = $1 AND kind = 'charge' ORDER BY id DESC LIMIT 10) AS last`,
    [actor.accountId],
  )
  return {
    count: Number(rows[0]?.count ?? 0),
    totalUsd: usd12(pico(rows[0]?.total ?? 0)),
    pricePerMillionUsd: usdPerMillion(runtime().catalogue.resolve(ALIAS)?.pricePico ?? null),
  }
}
