import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"

/** At least 1 per second. */
interface SetAccountRatesInput {
  perSecond: number
  /** Null keeps the current value. */
  perKey: number | null
}

/** Sets how many requests per second the actor's account and each of its keys may send. For the operator. */
export async function setAccountRates(
  { pool }: Runtime,
  actor: AccountActor,
  { perSecond, perKey }: SetAccountRatesInput,
): Promise<void> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ per_key: number }>(
      `UPDATE account SET requests_per_second = $2, requests_per_second_per_key = coalesce($3, requests_per_second_per_key)
       WHERE id = $1 RETURNING requests_per_second_per_key AS per_key`,
      [actor.accountId, perSecond, perKey],
    )
    const detail = `${perSecond} per second, ${rows[0]?.per_key} per key`
    await recordAudit(client, actor, { action: "account.limits", subject: actor.accountId, detail })
  })
}
