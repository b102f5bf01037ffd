import { queueEvent } from "@/lib/server/events/queue-event"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Budget, SpentPercent } from "@/lib/shared/keys/budgets"
import { pico, usd12 } from "@/lib/shared/money"

const SPENT = "spent_in_budget(b, day)::numeric * 100"
const PERCENT = `(SELECT coalesce(max(p), 0) FROM unnest(ARRAY[50, 80, 100]) AS p WHERE ${SPENT} >= b.limit_pico::numeric * p)`
const WARNED = "CASE WHEN b.warned_period = budget_start(b, day) THEN b.warned_percent ELSE 0 END"

const CROSSED = `
  SELECT b.id FROM account a CROSS JOIN LATERAL day_at(a, ledger_now()) AS day JOIN budget b ON b.account_id = a.id
  WHERE a.id = ANY ($1) AND ${PERCENT} > ${WARNED}`

const SAVE = `
  UPDATE budget b SET warned_percent = ${PERCENT}, warned_period = budget_start(b, day)
  FROM account a CROSS JOIN LATERAL day_at(a, ledger_now()) AS day
  WHERE b.id = $1 AND a.id = b.account_id AND ${PERCENT} > ${WARNED}
  RETURNING b.account_id, b.user_id, b.tag, b.period, b.limit_pico, b.warned_percent, extract(epoch FROM b.warned_period)::text AS began,
    budget_end(b, day) AS resets_at`

type Crossing = Row<"Budget", "account_id" | "user_id" | "tag" | "limit_pico"> & {
  period: Budget["period"]
  warned_percent: SpentPercent
  began: string
  resets_at: Date
}

/** Saves what part of a budget is spent, and queues the mails and the webhook event about it. */
async function saveSpentPart({ pool }: Runtime, id: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Crossing>(SAVE, [id])
    const [seen] = rows
    // Another server was faster.
    if (!seen) return
    const { account_id: accountId, user_id: userId, tag, period, limit_pico, warned_percent: percent, began } = seen
    // A changed limit is another cause.
    const source = `budget:${id}:${percent}:${began}:${limit_pico}`
    const [budgetId, limitUsd, resetsAt] = [publicId("bud", id), usd12(pico(limit_pico)), seen.resets_at.toISOString()]
    await queueMail(client, {
      accountId,
      kind: "budget_spent",
      source,
      facts: { budgetId, percent, limitUsd, period, resetsAt },
      alsoTo: userId ?? undefined,
    })
    await queueEvent(client, {
      accountId,
      type: "budget.spent",
      source,
      data: {
        account_id: publicId("acc", accountId),
        budget_id: budgetId,
        of: tag !== null ? "tag" : userId !== null ? "member" : "account",
        user_id: userId && publicId("usr", userId),
        percent,
        limit_usd: limitUsd,
        limit_period: period,
        resets_at: resetsAt,
      },
    })
  })
}

/** Queues mails and a webhook event for each budget of these accounts of which 50%, 80% or all is spent, once for each part in a period. */
export async function saveSpentBudgets(runtime: Runtime, accountIds: string[]): Promise<void> {
  if (accountIds.length === 0) return
  const { rows } = await runtime.pool.query<Row<"Budget", "id">>(CROSSED, [accountIds])
  for (const { id } of rows) await saveSpentPart(runtime, id)
}
