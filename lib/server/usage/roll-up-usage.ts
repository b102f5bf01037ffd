import { runtime } from "@/lib/server/platform/runtime"

const AT_ONCE = 10_000

// Row comparison and order pin the index on (account_id, id): one probe per account, however many entries there are.
const BEHIND = `
SELECT a.id FROM account a LEFT JOIN usage_mark m ON m.account_id = a.id
CROSS JOIN LATERAL (
  SELECT e.account_id FROM ledger_entry e WHERE (e.account_id, e.id) > (a.id, coalesce(m.entry_id, 0))
  ORDER BY e.account_id, e.id LIMIT 1
) next
WHERE next.account_id = a.id`

/**
 * Adds what the ledger gained to the sums that the usage page reads; answers how many entries. Any instance may run it at
 * any time: an account's mark moves in the transaction of its sums, and the page adds the rows above the mark itself.
 */
export async function rollUpUsage(): Promise<number> {
  const { pool } = runtime()
  let added = 0
  const { rows } = await pool.query<{ id: string }>(BEHIND)
  for (const { id } of rows)
    for (let last = AT_ONCE; last === AT_ONCE; added += last) {
      const answer = await pool.query<{ n: number }>("SELECT roll_up_usage($1, $2) AS n", [id, AT_ONCE])
      last = answer.rows[0]?.n ?? 0
    }
  return added
}
