import type { Pool } from "pg"

/** An allowance that is due to an account: by its rule, and the account or the user who brings it. Both are UUIDs. */
export interface DueAllowance {
  ruleId: string
  subject: string
}

/**
 * Credits an account with the allowances that are due this UTC month, each once, and debits what is left of those of earlier months.
 * One transaction does both, so a crash leaves nothing half done, and the same call again changes nothing.
 */
export async function settleAllowances(pool: Pool, accountId: string, due: readonly DueAllowance[]): Promise<void> {
  await pool.query("SELECT settle_allowances($1, $2, $3)", [
    accountId,
    due.map(({ ruleId }) => ruleId),
    due.map(({ subject }) => subject),
  ])
}
