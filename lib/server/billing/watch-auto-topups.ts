import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { systemFor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { CHARGED_THIS_MONTH, IS_CHARGING, IS_LOW, NEXT_CHARGE_AT } from "./auto-topup"
import { THIS_MONTH } from "./months"
import { pauseForCap } from "./pause-auto-topup"
import { settleAll } from "./poll-topups"

const BATCH = 100

/**
 * Automatic top-up is on, the account is active, and its balance is at the owner's threshold or below. No charge is in progress, and the
 * last one is at least ten minutes ago. The cap of this month was not reached before.
 */
const IS_DUE = `
  t.state = 'on' AND a.status = 'active' AND ${IS_LOW}
  AND t.capped_in IS DISTINCT FROM ${THIS_MONTH}
  AND NOT ${IS_CHARGING} AND coalesce(${NEXT_CHARGE_AT} <= now(), true)`
const DUE = `
  SELECT t.account_id AS id FROM auto_topup t JOIN account a ON a.id = t.account_id WHERE ${IS_DUE} LIMIT ${BATCH}`

const TERMS = `
  SELECT t.amount_cents, t.amount_cents + (${CHARGED_THIS_MONTH}) > t.cap_cents AS is_capped
  FROM auto_topup t JOIN account a ON a.id = t.account_id WHERE t.account_id = $1 AND ${IS_DUE}`

// The row names an owner, because every top-up has a user. The account pays.
const INSERT = `
  INSERT INTO topup (id, account_id, user_id, amount_cents, status, is_automatic, payment_method_id)
  SELECT $1, $2, m.user_id, $3, 'processing', true, c.payment_method_id
  FROM saved_card c JOIN member m ON m.account_id = c.account_id AND m.role = 'owner'
  WHERE c.account_id = $2 AND c.removed_at IS NULL ORDER BY m.created_at LIMIT 1`

async function insertTopup(client: PoolClient, accountId: string, amountCents: number): Promise<string | null> {
  const id = newId()
  const { rowCount } = await client.query(INSERT, [id, accountId, amountCents])
  if (rowCount !== 1) return null
  await recordAudit(client, systemFor(accountId), { action: "auto_topup.charge", subject: publicId("top", id) })
  return id
}

/** Begins the automatic top-up of an account. Returns its id. Null when it is not due any more, without a card, or at the cap. */
async function begin({ pool }: Runtime, accountId: string): Promise<string | null> {
  return inTransaction(pool, async (client) => {
    // Processes check one after another, each with what the one before committed. The account's busy row is not locked.
    await client.query("SELECT FROM auto_topup WHERE account_id = $1 FOR NO KEY UPDATE", [accountId])
    const { rows } = await client.query<Row<"AutoTopup", "amount_cents"> & { is_capped: boolean }>(TERMS, [accountId])
    const [terms] = rows
    if (!terms) return null
    if (!terms.is_capped) return insertTopup(client, accountId, terms.amount_cents)
    await pauseForCap(client, accountId)
    return null
  })
}

/**
 * Charges the saved card of each account whose balance fell to its threshold. Every server may run it at the same time: a fall is
 * charged once. It compares balances rather than events, so no fall is lost. Returns how many charges it began.
 */
export async function watchAutoTopups(runtime: Runtime): Promise<number> {
  const { payments, pool } = runtime
  if (!payments) return 0
  const { rows } = await pool.query<Row<"Account", "id">>(DUE)
  const begun: string[] = []
  for (const { id } of rows) {
    const topupId = await begin(runtime, id)
    if (topupId) begun.push(topupId)
  }
  await settleAll(runtime, begun)
  return begun.length
}
