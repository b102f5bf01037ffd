import type { PoolClient, QueryResultRow } from "pg"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction, LIMIT_STATEMENTS } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"

/** One snapshot of the database, for several statements whose sums must agree. */
export interface Snapshot {
  asOf: Date
  /** The last ledger entry that is in the account's sums. Later entries are read from the ledger. */
  lastSummedEntryId: string
  rows<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>
}

// The statistics of a fast-growing table are out of date. They must not lead the planner to read all of it.
const BEGIN = `
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL enable_seqscan = off;
SET LOCAL jit = off;
${LIMIT_STATEMENTS}`

const MOMENT = `
SELECT ledger_now() AS as_of, coalesce((SELECT entry_id FROM usage_mark WHERE account_id = $1), 0) AS mark`

/** Runs reads of the actor's account in one snapshot. Throws `forbidden` without `usage.read`. */
export async function readSnapshot<Result>(
  { pool }: Runtime,
  actor: AccountActor,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  requireRight(actor, "usage.read")
  const onConnection = async (client: PoolClient) => {
    const { rows } = await client.query<{ as_of: Date; mark: string }>(MOMENT, [actor.accountId])
    const [moment] = rows
    if (!moment) throw new Error("a statement without FROM must return one row")
    return work({
      asOf: moment.as_of,
      lastSummedEntryId: moment.mark,
      rows: async (text, values) => (await client.query(text, values)).rows,
    })
  }
  return inTransaction(pool, onConnection, BEGIN)
}
