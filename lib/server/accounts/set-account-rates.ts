import { z } from "zod"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parseInput } from "@/lib/server/platform/parse-input"
import type { Runtime } from "@/lib/server/platform/runtime"
import { MAX_REQUESTS_PER_SECOND } from "@/lib/shared/operator/forms"

const Rate = z.int().min(1).max(MAX_REQUESTS_PER_SECOND)

/** `perKey` null keeps the current value. */
export const SetAccountRatesInput = z.strictObject({ perSecond: Rate, perKey: Rate.nullable() })
export type SetAccountRatesInput = z.output<typeof SetAccountRatesInput>

/** Sets how many requests per second the actor's account and each of its keys may send. For the operator. */
export async function setAccountRates(
  { pool }: Runtime,
  actor: AccountActor,
  input: SetAccountRatesInput,
): Promise<void> {
  requireRight(actor, "service.operate")
  const { perSecond, perKey } = parseInput(SetAccountRatesInput, input)
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
