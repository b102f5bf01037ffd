import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Present, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { STAY_NOTICE_DAYS } from "@/lib/shared/models/stay"

// None for a stay that was chosen within these days, and none while the alias itself points at the model.
const ENDING = `
  UPDATE alias_stay s SET end_mailed_at = now() FROM model alias
  WHERE s.alias_id = $1 AND alias.id = s.alias_id AND NOT s.is_ahead AND s.end_mailed_at IS NULL AND s.model_id <> alias.target_id
    AND s.until_at > now() AND s.until_at <= now() + make_interval(days => $2) AND s.until_at > s.created_at + make_interval(days => $2)
  RETURNING s.account_id, s.model_id, alias.target_id, s.until_at`

type EndingRow = Row<"AliasStay", "account_id" | "model_id" | "until_at"> & Present<Row<"Model", "target_id">>

/** Queues one mail to the account of each stay that ends within 7 days. Any server may run it. */
export async function announceStayEnds({ pool }: Pick<Runtime, "pool">): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<EndingRow>(ENDING, [ALIAS, STAY_NOTICE_DAYS])
    for (const { account_id: accountId, model_id: model, target_id: next, until_at } of rows) {
      const until = until_at.toISOString()
      await queueMail(client, {
        accountId,
        kind: "alias_stay_ending",
        source: `stay:${accountId}:${until}`,
        facts: { alias: ALIAS, model, next, until },
      })
    }
  })
}
