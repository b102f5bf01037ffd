import { recordAudit } from "@/lib/server/audit/record-audit"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { systemFor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { formatExactUsd } from "@/lib/shared/format"
import { dayOf } from "@/lib/shared/time"
import { DAILY_LIMIT } from "./visitor-key"

const NEEDS_CREDIT = `
  SELECT FROM account WHERE id = $1 AND balance_pico < $2 AND NOT EXISTS (SELECT FROM ledger_source WHERE source = $3)`

/**
 * Credits the account of visitors with $1.00, at most once a UTC day, when it has less. Visitors then cost at most that much a day, and
 * the operator has nothing to do.
 */
export async function creditVisitors({ pool }: Runtime, accountId: string, now = new Date()): Promise<void> {
  const source = `visitors:${dayOf(now)}`
  const { rowCount } = await pool.query(NEEDS_CREDIT, [accountId, DAILY_LIMIT, source])
  if (!rowCount) return
  await inTransaction(pool, async (client) => {
    const entry = { accountId, kind: "credit", amountPico: DAILY_LIMIT, source, note: "Runs of visitors" } as const
    if (!(await postEntry(client, entry))) return
    const detail = formatExactUsd(DAILY_LIMIT)
    await recordAudit(client, systemFor(accountId), { action: "account.credit", subject: accountId, detail })
  })
}
