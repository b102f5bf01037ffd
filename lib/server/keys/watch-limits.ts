import { queueEvent } from "@/lib/server/events/queue-event"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Present, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"

const PERCENT = `CASE WHEN spent_in_period(k, at) >= k.limit_pico THEN 100 WHEN spent_in_period(k, at) >= k.limit_pico / 10 * 8 THEN 80 ELSE 0 END`
const MAILED = "CASE WHEN k.mailed_period = period_at(k, at) THEN k.mailed_percent ELSE 0 END"

const CROSSED = `
  SELECT k.id, k.account_id FROM api_key k, ledger_now() AS at
  WHERE k.id = ANY ($1) AND k.limit_pico IS NOT NULL AND k.revoked_at IS NULL AND ${PERCENT} > ${MAILED}`

const SAVE = `
  UPDATE api_key k SET mailed_percent = ${PERCENT}, mailed_period = period_at(k, at) FROM ledger_now() AS at
  WHERE k.id = $1 AND ${PERCENT} > ${MAILED}
  RETURNING k.mailed_percent, extract(epoch FROM k.mailed_period)::text AS began, k.limit_pico, k.limit_period`

type Crossing = Present<Row<"ApiKey", "limit_pico">> & {
  mailed_percent: 80 | 100
  began: string
  limit_period: "daily" | "lifetime"
}

/** Saves what part of its limit a key has spent, and queues the mail and the webhook event about it. */
async function saveSpentPart({ pool }: Runtime, accountId: string, key: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Crossing>(SAVE, [key])
    const [seen] = rows
    // Another server was faster.
    if (!seen) return
    const { mailed_percent: percent, limit_pico, limit_period: period } = seen
    const source = `key:${key}:${percent}:${seen.began}`
    const [keyId, limitUsd] = [publicId("key", key), usd12(pico(limit_pico))]
    await queueMail(client, {
      accountId,
      kind: percent === 100 ? "key_limit_reached" : "key_near_limit",
      source,
      facts: { keyId, limitUsd, period },
    })
    await queueEvent(client, {
      accountId,
      type: percent === 100 ? "key.limit_reached" : "key.near_limit",
      source,
      data: { account_id: publicId("acc", accountId), key_id: keyId, limit_usd: limitUsd, limit_period: period },
    })
  })
}

/** Queues a mail and a webhook event for each of these keys that spent 80% or all of its limit, once for each of the two in a period. */
export async function saveSpentParts(runtime: Runtime, keyIds: string[]): Promise<void> {
  if (keyIds.length === 0) return
  const { rows } = await runtime.pool.query<Row<"ApiKey", "id" | "account_id">>(CROSSED, [keyIds])
  for (const { id, account_id } of rows) await saveSpentPart(runtime, account_id, id)
}
