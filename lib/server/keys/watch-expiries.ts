import type { PoolClient } from "pg"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Present, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"

type Expiring = Present<Row<"ApiKey", "account_id" | "expires_at">> & { days: number }

interface Watched {
  table: "api_key" | "account_token"
  /** SQL. Which rows of the table `t` still work. */
  where: string
  /** How many days before the end a mail is due, for what lives longer than that. In rising order. */
  days: readonly number[]
  queue: (client: PoolClient, id: string, expiring: Expiring) => Promise<void>
}

const WATCHED: readonly Watched[] = [
  {
    table: "api_key",
    where: "t.revoked_at IS NULL",
    days: [1, 7],
    queue: (client, id, { account_id: accountId, expires_at, days }) =>
      queueMail(client, {
        accountId,
        kind: "key_expiring",
        source: `key:${id}:expires:${days}`,
        facts: { keyId: publicId("key", id), expiresAt: expires_at.toISOString(), days: days === 1 ? 1 : 7 },
      }),
  },
  {
    table: "account_token",
    where: "true",
    days: [14],
    queue: (client, id, { account_id: accountId, expires_at }) =>
      queueMail(client, {
        accountId,
        kind: "token_expiring",
        source: `token:${id}:expires`,
        facts: { tokenId: publicId("tok", id), expiresAt: expires_at.toISOString() },
      }),
  },
]

/** SQL. The days of the mail that is due for the row `t`. Null while none is due. */
const dueDays = (days: readonly number[]): string =>
  `CASE ${days.map((day) => `WHEN t.expires_at <= at + interval '${day} days' AND t.expires_at > t.created_at + interval '${day} days' THEN ${day}`).join(" ")} END`

async function watch({ pool }: Runtime, { table, where, days, queue }: Watched): Promise<void> {
  const due = dueDays(days)
  const isDue = `${where} AND t.expires_at > at AND ${due} < coalesce(t.expiry_mailed_days, 32767)`
  const { rows } = await pool.query<Row<"ApiKey", "id">>(
    `SELECT t.id FROM ${table} t, ledger_now() AS at WHERE ${isDue}`,
  )
  for (const { id } of rows)
    await inTransaction(pool, async (client) => {
      const { rows: saved } = await client.query<Expiring>(
        `UPDATE ${table} t SET expiry_mailed_days = ${due} FROM ledger_now() AS at WHERE t.id = $1 AND ${isDue}
         RETURNING t.account_id, t.expires_at, t.expiry_mailed_days AS days`,
        [id],
      )
      // None is left when another server was faster.
      for (const expiring of saved) await queue(client, id, expiring)
    })
}

/** Queues one mail when a key expires within 7 days, one within a day, and one when an account token expires within 14 days. */
export async function watchExpiries(runtime: Runtime): Promise<void> {
  for (const watched of WATCHED) await watch(runtime, watched)
}
