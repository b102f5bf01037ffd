import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Present, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"

// The days of the mail that is due: 7 or 1 before the expiry, if the key lives longer than that. Null while none is due.
const DAYS = `CASE
  WHEN k.expires_at <= at + interval '1 day' AND k.expires_at > k.created_at + interval '1 day' THEN 1
  WHEN k.expires_at <= at + interval '7 days' AND k.expires_at > k.created_at + interval '7 days' THEN 7 END`

const EXPIRING = `
  SELECT k.id FROM api_key k, ledger_now() AS at
  WHERE k.expires_at > at AND k.expires_at <= at + interval '7 days' AND k.revoked_at IS NULL
    AND ${DAYS} < coalesce(k.expiry_mailed_days, 8)`

const SAVE = `
  UPDATE api_key k SET expiry_mailed_days = ${DAYS} FROM ledger_now() AS at
  WHERE k.id = $1 AND k.expires_at > at AND ${DAYS} < coalesce(k.expiry_mailed_days, 8)
  RETURNING k.account_id, k.expires_at, k.expiry_mailed_days AS days`

type Expiring = Present<Row<"ApiKey", "account_id" | "expires_at">> & { days: 1 | 7 }

async function saveExpiry({ pool }: Runtime, key: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Expiring>(SAVE, [key])
    const [seen] = rows
    // Another server was faster.
    if (!seen) return
    await queueMail(client, {
      accountId: seen.account_id,
      kind: "key_expiring",
      source: `key:${key}:expires:${seen.days}`,
      facts: { keyId: publicId("key", key), expiresAt: seen.expires_at.toISOString(), days: seen.days },
    })
  })
}

/** Queues one mail when a key expires within 7 days and one when it expires within a day. */
export async function watchExpiries(runtime: Runtime): Promise<void> {
  const { rows } = await runtime.pool.query<Row<"ApiKey", "id">>(EXPIRING)
  for (const { id } of rows) await saveExpiry(runtime, id)
}
