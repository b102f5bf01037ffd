import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { type AccountActor, requireConfirmed, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { type KeyRules, NO_RULES, type SetKeyRulesInput } from "@/lib/shared/keys/key-rules"
import { parseUsd, pico, usd12 } from "@/lib/shared/money"

type RulesRow = Row<"KeyRules", "default_limit_pico" | "max_limit_pico"> & {
  default_period: "daily" | "lifetime" | null
}

const SELECT = "SELECT default_limit_pico, default_period, max_limit_pico FROM key_rules WHERE account_id = $1"

const usdOf = (amount: string | null): string | null => (amount === null ? null : usd12(pico(amount)))

/** Returns what the actor's account decided on the spend limits of new keys. */
export async function getKeyRules({ pool }: Runtime, actor: AccountActor): Promise<KeyRules> {
  requireRight(actor, "keys.read")
  const { rows } = await pool.query<RulesRow>(SELECT, [actor.accountId])
  const [row] = rows
  if (!row) return NO_RULES
  const { default_limit_pico: amount, default_period: period } = row
  return {
    standard: amount !== null && period !== null ? { amountUsd: usd12(pico(amount)), period } : null,
    maxUsd: usdOf(row.max_limit_pico),
  }
}

const SAVE = `
  INSERT INTO key_rules (account_id, default_limit_pico, default_period, max_limit_pico) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id) DO UPDATE SET default_limit_pico = excluded.default_limit_pico,
    default_period = excluded.default_period, max_limit_pico = excluded.max_limit_pico`

/**
 * Sets the limit that the form for a new key starts with, and the maximum of a new key. Keys that exist keep their limits. Needs
 * `account.manage` and a recent sign-in.
 */
export async function setKeyRules(
  { pool }: Runtime,
  actor: AccountActor,
  { defaultUsd, defaultPeriod, maxUsd }: SetKeyRulesInput,
): Promise<void> {
  requireRight(actor, "account.manage")
  requireConfirmed(actor, "setKeyRules")
  const standard = defaultUsd === "" ? [null, null] : [parseUsd(defaultUsd), defaultPeriod]
  const max = maxUsd === "" ? null : parseUsd(maxUsd)
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await client.query(SAVE, [actor.accountId, ...standard, max])
    await recordAudit(client, actor, { action: "account.key_rules" })
  })
}

/** Throws `invalid_request` for a limit above the account's maximum for new keys, and for no limit when there is a maximum. */
export async function requireWithinRules(
  client: PoolClient,
  accountId: string,
  limitPico: bigint | null,
): Promise<void> {
  const { rows } = await client.query<RulesRow>(SELECT, [accountId])
  const max = rows[0]?.max_limit_pico ?? null
  if (max === null || (limitPico !== null && limitPico <= BigInt(max))) return
  const most = formatExactUsd(pico(max))
  throw new ServiceError("invalid_request", {
    param: "limit",
    message: `A new key of this account needs a spend limit of at most ${most}. An owner can change this under Settings.`,
  })
}
