import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { TakePartInput } from "@/lib/shared/shadows/take-part"

/** Returns whether requests of an account may be asked of candidates, by its UUID. */
export async function takesPart({ pool }: Pick<Runtime, "pool">, accountId: string): Promise<boolean> {
  const { rowCount } = await pool.query("SELECT FROM shadow_refusal WHERE account_id = $1", [accountId])
  return rowCount === 0
}

/** Returns whether requests of the actor's account may be asked of candidates. Needs `account.read`. */
export async function getTakingPart(runtime: Runtime, actor: UserActor): Promise<{ takesPart: boolean }> {
  requireRight(actor, "account.read")
  return { takesPart: await takesPart(runtime, actor.accountId) }
}

const REFUSE = "INSERT INTO shadow_refusal (account_id) VALUES ($1) ON CONFLICT DO NOTHING"
const ALLOW = "DELETE FROM shadow_refusal WHERE account_id = $1"

/**
 * Sets whether requests of the actor's account may be asked of candidates. A refusal takes effect within two seconds, also for requests
 * that wait. Needs `account.manage`.
 */
export async function setTakingPart(
  runtime: Runtime,
  actor: UserActor,
  { takesPart: allows }: TakePartInput,
): Promise<{ takesPart: boolean }> {
  requireRight(actor, "account.manage")
  await inTransaction(runtime.pool, async (client) => {
    const { rowCount } = await client.query(allows ? ALLOW : REFUSE, [actor.accountId])
    if (rowCount === 0) return
    await recordAudit(client, actor, { action: allows ? "account.allow_shadows" : "account.refuse_shadows" })
  })
  return { takesPart: allows }
}
