import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueMailToAll } from "@/lib/server/mail/queue-mail"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { requireActive } from "./alias"
import { accountsOfAlias } from "./alias-use"

interface AnnounceAliasInput {
  toId: string
  /** A UTC day such as 2026-12-01. */
  on: string
}

/**
 * Announces by mail that the alias moves to another active model on a day. The accounts that sent the alias in the last 30 days
 * receive it, and their number is returned. The alias itself moves only with `moveAlias`. For the operator. Throws `invalid_model`,
 * `model_retired`, and `invalid_request` for a day before tomorrow and for the model at which the alias already points.
 */
export async function announceAlias(
  { pool }: Runtime,
  actor: Actor,
  { toId: to, on }: AnnounceAliasInput,
): Promise<{ accounts: number }> {
  requireRight(actor, "service.operate")
  if (Date.parse(on) < Date.now())
    throw new ServiceError("invalid_request", { param: "on", message: "Choose a day from tomorrow on, in UTC." })
  return inTransaction(pool, async (client) => {
    await requireActive(client, to)
    const { rows } = await client.query<Row<"Model", "target_id">>("SELECT target_id FROM model WHERE id = $1", [ALIAS])
    const from = rows[0]?.target_id
    if (!from || from === to)
      throw new ServiceError("invalid_request", { param: "toId", message: "The alias points at this model already." })
    const added = await client.query<Row<"AliasAnnouncement", "id">>(
      "INSERT INTO alias_announcement (alias_id, to_id, moves_on) VALUES ($1, $2, $3) RETURNING id",
      [ALIAS, to, on],
    )
    const accountIds = await accountsOfAlias(client)
    const source = `alias:${added.rows[0]?.id}`
    await queueMailToAll(client, accountIds, {
      kind: "alias_moving",
      source,
      facts: { alias: ALIAS, from, to, on },
    })
    await recordAudit(client, actor, { action: "model.announce", subject: to, detail: on })
    return { accounts: accountIds.length }
  })
}

/** A move of the alias that was announced and has not happened. */
export interface AliasAnnouncement {
  from: string
  to: string
  /** A UTC day such as 2026-12-01. */
  on: string
}

const NEXT = `
  SELECT a.to_id AS to, m.target_id AS from, to_char(a.moves_on, 'YYYY-MM-DD') AS on
  FROM alias_announcement a JOIN model m ON m.id = a.alias_id WHERE a.alias_id = $1
    AND NOT EXISTS (SELECT FROM alias_move v WHERE v.alias_id = a.alias_id AND v.created_at > a.created_at)
  ORDER BY a.id DESC LIMIT 1`

/** Returns the announced move of the alias. Null when none was announced since its last move. */
export async function findAnnouncement({ pool }: Runtime): Promise<AliasAnnouncement | null> {
  const { rows } = await pool.query<AliasAnnouncement>(NEXT, [ALIAS])
  return rows[0] ?? null
}
