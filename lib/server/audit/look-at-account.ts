import { type AccountOperator, type OperatorActor, operatorFor, requireRight } from "@/lib/server/platform/actor"
import { LOCKS } from "@/lib/server/platform/db/locks"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { nameOf, recordAudit } from "./record-audit"

export interface Look {
  /** `acc_…` */
  id: string
  /** The page that is opened, such as `/usage`; `/` for the overview. */
  page: string
}

// Reads the account's newest entries by their index, so this costs little however long the log is.
const LOOKED = `
  SELECT FROM (
    SELECT actor, action, detail FROM audit_event WHERE account_id = $1 AND created_at >= date_trunc('hour', now(), 'UTC')
    ORDER BY id DESC LIMIT 1000) recent
  WHERE action = 'account.look' AND actor = $2 AND detail = $3 LIMIT 1`

/**
 * Records in the account's audit log that an operator views a page of it, and returns the operator as an actor that only reads. One
 * entry stands for all views of a page by one operator within a clock hour. Throws `not_found`.
 */
export async function lookAtAccount(
  { pool, env }: Runtime,
  operator: OperatorActor,
  { id, page }: Look,
): Promise<AccountOperator> {
  requireRight(operator, "service.read")
  const accountId = parsePublicId("acc", id)
  const actor: AccountOperator = { ...operatorFor(accountId ?? "", operator), isLooking: true }
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row<"Account", "id">>("SELECT id FROM account WHERE id = $1", [accountId])
    if (!rows[0]) throw new ServiceError("not_found", { message: "There is no such account." })
    // Two windows of one operator write one entry. Writes of the account itself do not wait for this lock.
    await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [LOCKS.looks, accountId])
    const looked = await client.query(LOOKED, [accountId, nameOf(actor), page])
    if (looked.rowCount !== 0) return
    const isHidden = env.OPERATOR_LOOKS === "hidden"
    await recordAudit(client, actor, { action: "account.look", detail: page, isHidden })
  })
  return actor
}
