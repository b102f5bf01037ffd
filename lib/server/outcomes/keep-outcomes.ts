import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { KeepOutcomesInput } from "@/lib/shared/outcomes/outcome-request"
import { eraseOutcomes } from "./drop-outcomes"

export const keepingIsOff = () =>
  new ServiceError("invalid_request", {
    message: "This account keeps no outcomes. An owner can turn that on in the settings.",
  })

/** Returns whether an account keeps outcomes, by its UUID. */
export async function keepsOutcomes({ pool }: Pick<Runtime, "pool">, accountId: string): Promise<boolean> {
  const { rowCount } = await pool.query("SELECT FROM outcome_switch WHERE account_id = $1 AND is_on", [accountId])
  return rowCount === 1
}

const LOCK = "SELECT FROM outcome_switch WHERE account_id = $1 AND is_on FOR SHARE"

/** Keeps the switch on until the end of the transaction. Throws `invalid_request` where the account keeps no outcomes. */
export async function requireKeeping(client: PoolClient, accountId: string): Promise<void> {
  if ((await client.query(LOCK, [accountId])).rowCount === 0) throw keepingIsOff()
}

/** Returns whether the actor's account keeps outcomes. Needs `account.manage`. */
export async function getOutcomeSwitch(runtime: Runtime, actor: UserActor): Promise<{ isOn: boolean }> {
  requireRight(actor, "account.manage")
  return { isOn: await keepsOutcomes(runtime, actor.accountId) }
}

const TURN_ON = `
  INSERT INTO outcome_switch (account_id, is_on) VALUES ($1, true)
  ON CONFLICT (account_id) DO UPDATE SET is_on = true, turned_on_at = now() WHERE NOT outcome_switch.is_on`
/** Waits for requests that are storing outcomes. Later ones find the switch off. */
const TURN_OFF = "UPDATE outcome_switch SET is_on = false WHERE account_id = $1 AND is_on"

/**
 * Turns the keeping of outcomes on or off for the actor's account. Turning it off erases those that are stored, and the alarms, and so does turning it
 * on again for any that an interrupted erasure left. Needs `account.manage`.
 */
export async function keepOutcomes(
  runtime: Runtime,
  actor: UserActor,
  { isOn }: KeepOutcomesInput,
): Promise<{ isOn: boolean }> {
  requireRight(actor, "account.manage")
  const { accountId } = actor
  if (isOn) await eraseOutcomes(runtime, accountId)
  await inTransaction(runtime.pool, async (client) => {
    const { rowCount } = await client.query(isOn ? TURN_ON : TURN_OFF, [accountId])
    if (rowCount === 0) return
    await recordAudit(client, actor, { action: isOn ? "account.keep_outcomes" : "account.drop_outcomes" })
  })
  if (!isOn) await eraseOutcomes(runtime, accountId)
  return { isOn }
}
