import type { PoolClient } from "pg"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS } from "@/lib/shared/models/model-ids"

async function requireActive(client: PoolClient, id: string): Promise<void> {
  const { rows } = await client.query<{ status: string; kind: string }>(
    "SELECT status, kind FROM model WHERE id = $1 FOR UPDATE",
    [id],
  )
  if (rows[0]?.kind !== "pinned") throw new ServiceError("invalid_model")
  if (rows[0].status !== "active") throw new ServiceError("model_retired", { extra: { replacement_model: null } })
}

/** Points the alias at an active pinned model, and records the move. Moving it to where it is changes nothing. */
export async function moveAlias(toId: string): Promise<void> {
  await inTransaction(runtime().pool, async (client) => {
    await requireActive(client, toId)
    const before = await client.query<{ target_id: string }>("SELECT target_id FROM model WHERE id = $1 FOR UPDATE", [
      ALIAS,
    ])
    const from = before.rows[0]?.target_id ?? null
    if (from === toId) return
    if (from === null)
      await client.query("INSERT INTO model (id, kind, target_id) VALUES ($1, 'alias', $2)", [ALIAS, toId])
    else await client.query("UPDATE model SET target_id = $2 WHERE id = $1", [ALIAS, toId])
    await client.query("INSERT INTO alias_move (alias_id, from_id, to_id) VALUES ($1, $2, $3)", [ALIAS, from, toId])
  })
}
