import type { ClientBase } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Env } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { DIALECT_NAMES, type DialectName, FIRST_NAMES } from "@/lib/shared/models/dialect-names"
import { ALIAS } from "@/lib/shared/models/model-ids"
import type { ModelName } from "./catalogue"

/** Adds the names of every dialect that the alias has from a first start on, in its order. Nothing with `COMPATIBLE_NAMES=0`. */
export async function addFirstNames(client: ClientBase, { COMPATIBLE_NAMES }: Pick<Env, "COMPATIBLE_NAMES">) {
  if (COMPATIBLE_NAMES === "0") return
  for (const dialect of DIALECT_NAMES)
    for (const name of FIRST_NAMES[dialect])
      await client.query(
        "INSERT INTO model_name (dialect, name, target_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [dialect, name, ALIAS],
      )
}

/** Lets a dialect's clients call a model by a name, or changes what the name means. For the operator. Throws `invalid_model`. */
export async function addModelName(
  { pool }: Runtime,
  actor: Actor,
  { dialect, name, targetId }: ModelName & { targetId: string },
): Promise<void> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row<"Model", "id" | "status">>(
      "SELECT id, status FROM model WHERE id IN ($1, $2) FOR KEY SHARE",
      [targetId, name],
    )
    if (rows.find(({ id }) => id === targetId)?.status !== "active") throw new ServiceError("invalid_model")
    if (rows.some(({ id }) => id === name))
      throw new ServiceError("invalid_request", { param: "name", message: "This is the id of a model." })
    await client.query(
      `INSERT INTO model_name (dialect, name, target_id) VALUES ($1, $2, $3)
       ON CONFLICT (dialect, name) DO UPDATE SET target_id = $3`,
      [dialect, name, targetId],
    )
    await recordAudit(client, actor, { action: "model.name", subject: targetId, detail: `${dialect} ${name}` })
  })
}

/** Removes a name. Its requests get `invalid_model` within a second. For the operator. Throws `not_found`. */
export async function removeModelName({ pool }: Runtime, actor: Actor, { dialect, name }: ModelName): Promise<void> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row<"ModelName", "target_id">>(
      "DELETE FROM model_name WHERE dialect = $1 AND name = $2 RETURNING target_id",
      [dialect, name],
    )
    if (!rows[0]) throw new ServiceError("not_found", { message: "This dialect has no model of this name." })
    const detail = `removed ${dialect} ${name}`
    await recordAudit(client, actor, { action: "model.name", subject: rows[0].target_id, detail })
  })
}

/** Returns every name by dialect, oldest first. For the operator. */
export async function listModelNames({ pool }: Runtime, actor: Actor): Promise<(ModelName & { targetId: string })[]> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<Row<"ModelName", "name" | "target_id"> & { dialect: DialectName }>(
    "SELECT dialect, name, target_id FROM model_name ORDER BY dialect, created_at, name",
  )
  return rows.map(({ dialect, name, target_id: targetId }) => ({ dialect, name, targetId }))
}
