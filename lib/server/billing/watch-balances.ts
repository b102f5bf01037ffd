import { queueEvent } from "@/lib/server/events/queue-event"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { PICO_PER_CENT, pico, usd12 } from "@/lib/shared/money"
import { THIS_MONTH } from "./months"

/**
 * An SQL expression on `account a`: the balance in pico-USD at which its owners are warned. It is the amount that they chose, else a tenth
 * of the last top-up, else 5 USD. `kind <> 'charge'` lets PostgreSQL use the index of entries that are no charges.
 */
export const THRESHOLD = `coalesce(a.low_balance_pico, (
  SELECT amount_pico / 10 FROM ledger_entry
  WHERE account_id = a.id AND kind <> 'charge' AND kind = 'topup' ORDER BY id DESC LIMIT 1), 5000000000000)`

/** An SQL condition on `account a`: automatic top-up charges at this warning or above it, and its maximum of this month is not reached. */
export const IS_COVERED = `EXISTS (SELECT FROM auto_topup t WHERE t.account_id = a.id AND t.state = 'on'
  AND t.capped_in IS DISTINCT FROM ${THIS_MONTH}
  AND t.threshold_cents * ${PICO_PER_CENT} >= ${THRESHOLD})`

const LEVEL = `CASE WHEN a.balance_pico < 0 THEN 'negative' WHEN a.balance_pico <= ${THRESHOLD} THEN 'low' ELSE 'ok' END`

const CROSSED = `
  SELECT a.id FROM account a
  WHERE a.id = ANY ($1) AND a.balance_level <> ${LEVEL}
    AND NOT (${LEVEL} = 'low' AND a.balance_level <> 'negative' AND ${IS_COVERED})`

const LOCK = `
  SELECT a.balance_level AS before, ${LEVEL} AS now, a.balance_pico, ${THRESHOLD} AS threshold_pico,
    (SELECT max(id) FROM ledger_entry WHERE account_id = a.id) AS last_entry,
    ${IS_COVERED} AS is_covered
  FROM account a WHERE a.id = $1 FOR NO KEY UPDATE`

type Crossing = Row<"Account", "balance_pico"> & {
  before: string
  now: string
  threshold_pico: string
  last_entry: string
  /** Whether automatic top-up adds credit. It has mails of its own, and a warning would only ask for what it does anyway. */
  is_covered: boolean
}

/** Saves the level of an account's balance, and queues mails and a webhook if it fell since the last check. */
async function saveLevel({ pool }: Runtime, accountId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Crossing>(LOCK, [accountId])
    const [seen] = rows
    // Another server was faster.
    if (!seen || seen.before === seen.now) return
    // The saved level stays, so that the warning is sent if automatic top-up ends before the balance rises. A rise from below zero is
    // saved, so that the next fall below zero is noticed.
    if (seen.now === "low" && seen.before !== "negative" && seen.is_covered) return
    await client.query("UPDATE account SET balance_level = $2 WHERE id = $1", [accountId, seen.now])
    const balanceUsd = usd12(pico(seen.balance_pico))
    const thresholdUsd = usd12(pico(seen.threshold_pico))
    const source = `${seen.now}:${seen.last_entry}`
    if (seen.before === "ok" && seen.now === "low")
      await queueMail(client, { accountId, kind: "balance_low", source, facts: { balanceUsd, thresholdUsd } })
    if (seen.before === "ok")
      await queueEvent(client, {
        accountId,
        type: "balance.low",
        source,
        data: { account_id: publicId("acc", accountId), balance_usd: balanceUsd, threshold_usd: thresholdUsd },
      })
    if (seen.before !== "unknown" && seen.now === "negative")
      await queueMail(client, { accountId, kind: "balance_negative", source, facts: { balanceUsd } })
  })
}

/**
 * Queues a mail for each of these accounts whose balance fell to its warning or below zero, once for each fall. An account that
 * was never above its warning, such as a new one, gets no warning.
 */
export async function saveLevels(runtime: Runtime, accountIds: string[]): Promise<void> {
  if (accountIds.length === 0) return
  const { rows } = await runtime.pool.query<Row<"Account", "id">>(CROSSED, [accountIds])
  for (const { id } of rows) await saveLevel(runtime, id)
}
