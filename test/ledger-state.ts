import { checkLedger, type LedgerCheck } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"

/** Returns one account's money in pico-USD, the states of its holds, and its number of charges. */
export async function moneyOf(accountId: string) {
  const { rows } = await runtime().pool.query<{ balance: string; held: string; states: string[]; charges: number }>(
    `SELECT balance_pico AS balance, held_pico AS held,
       ARRAY(SELECT state FROM hold WHERE account_id = a.id ORDER BY id) AS states,
       (SELECT count(*)::int FROM ledger_entry WHERE account_id = a.id AND kind = 'charge') AS charges
     FROM account a WHERE id = $1`,
    [accountId],
  )
  const [row] = rows
  if (!row) throw new Error("there is no such account")
  return { balance: BigInt(row.balance), held: BigInt(row.held), states: row.states, charges: row.charges }
}

/** Returns the number of charges that drew on a grant: their holds were written, and given their lifetime, when they were charged. */
export async function drawnCharges(accountId: string): Promise<number> {
  const { rows } = await runtime().pool.query(
    "SELECT count(*)::int AS n FROM hold WHERE account_id = $1 AND state = 'captured' AND expires_at = resolved_at + hold_lifetime()",
    [accountId],
  )
  return rows[0].n
}

/** Returns the invariants of the ledger that do not hold. */
export const brokenChecks = async (): Promise<LedgerCheck[]> =>
  (await checkLedger(runtime().pool)).filter(({ ok }) => !ok)

/** Sets the clock of the ledger. `next` is a statement that runs in the same transaction. */
export async function setLedgerClock(sql = "clock_timestamp()", next = ""): Promise<void> {
  await runtime().pool.query(
    `CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT ${sql} $$; ${next}`,
  )
}
