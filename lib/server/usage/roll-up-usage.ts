import { runtime } from "@/lib/server/platform/runtime"

const BATCH = 10_000

// The row comparison and the order make PostgreSQL use the index on (account_id, id): one probe per account.
const BEHIND = `
SELECT a.id FROM account a LEFT JOIN usage_mark m ON m.account_id = a.id
CROSS JOIN LATERAL (
  SELECT e.account_id FROM ledger_entry e WHERE (e.account_id, e.id) > (a.id, coalesce(m.entry_id, 0))
  ORDER BY e.account_id, e.id LIMIT 1
) next
WHERE next.account_id = a.id`

/**
 * Adds new ledger entries to the sums that the usage page reads. Returns how many. Any server may run it at any time. An
 * account's mark moves in the transaction of its sums. The page adds the entries above the mark itself.
 */
export async function rollUpUsage(): Promise<number> {
  const { pool } = runtime()
  let added = 0
  const { rows } = await pool.query<{ id: string }>(BEHIND)
  for (const { id } of rows)
    for (let last = BATCH; last === BATCH; added += last) {
      const result = await pool.query<{ n: number }>("SELECT roll_up_usage($1, $2) AS n", [id, BATCH])
      last = result.rows[0]?.n ?? 0
    }
  return added
}
