import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parseHubSource } from "@/lib/server/platform/hub-source"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { OFFERED_MODELS } from "@/lib/shared/models/offered-models"

interface RunModelInput {
  /** The name of an offered model, `hf:OWNER/REPO` with a commit and a file if needed, or an absolute path. */
  model: string
  acceptsLicense: boolean
}

const refuse = (param: string, message: string): never => {
  throw new ServiceError("invalid_request", { param, message })
}

function sourceOf({ model, acceptsLicense }: RunModelInput): string {
  const offered = OFFERED_MODELS.find(({ name }) => name === model)
  if (!offered) {
    if (parseHubSource(model) || /^\/.*\.gguf$/i.test(model)) return model
    return refuse("model", "Use the name of an offered model, hf:OWNER/REPO, or a file that ends in .gguf.")
  }
  if (!acceptsLicense)
    refuse("acceptsLicense", `The license of ${offered.name} is ${offered.license}. Read it, then accept it.`)
  return offered.source
}

/** Returns how many servers carry out orders now. */
export async function countModelServers({ pool }: Runtime): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM server_process
     WHERE runs_models AND stopped_at IS NULL AND seen_at > clock_timestamp() - interval '15 seconds'`,
  )
  return rows[0]?.count ?? 0
}

/**
 * Orders every server that serves the API to download and run a model, within 2 s and after each start. Repeats an order that failed.
 * Moves no alias. For the operator. Throws `invalid_request` for another text than a source, and without the license.
 */
export async function runModel({ pool }: Runtime, actor: Actor, input: RunModelInput): Promise<{ source: string }> {
  requireRight(actor, "service.operate")
  const source = sourceOf(input)
  await inTransaction(pool, async (client) => {
    await client.query(
      `INSERT INTO model_order (id, source) VALUES ($1, $2)
       ON CONFLICT (source) WHERE ended_at IS NULL DO UPDATE SET ordered_at = clock_timestamp()`,
      [newId(), source],
    )
    await recordAudit(client, actor, { action: "model.run", subject: source })
  })
  return { source }
}

/** What keeps an order from being ended. */
interface Facts {
  /** The model that the alias points at, when it is this one or a cascade that asks it. */
  aliased_id: string | null
  is_planned: boolean
}

/** Refuses to stop a model that the alias asks, or will ask. `moveAlias` locks the same row first. */
async function requireUnused(client: PoolClient, modelId: string): Promise<void> {
  await client.query("SELECT 1 FROM model WHERE id = $1 FOR UPDATE", [modelId])
  const { rows } = await client.query<Facts>(
    `SELECT (SELECT min(t.id) FROM model a JOIN model t ON t.id = a.target_id
         WHERE a.kind = 'alias' AND $1 IN (t.id, t.small_id, t.big_id)) AS aliased_id,
       EXISTS (SELECT FROM alias_announcement JOIN model t ON t.id = to_id
         WHERE $1 IN (t.id, t.small_id, t.big_id) AND notice_days IS NOT NULL AND ended_at IS NULL) AS is_planned`,
    [modelId],
  )
  const [facts] = rows
  if (facts?.aliased_id === modelId) refuse("model", "The alias points at this model. Move the alias first.")
  if (facts?.aliased_id)
    refuse("model", `The alias points at ${facts.aliased_id}, which asks this model. Move the alias first.`)
  if (facts?.is_planned) refuse("model", "A move of the alias to this model is planned. Cancel it first.")
}

/**
 * Ends an order: servers stop the model within some seconds, or cancel its download, whose part stays for a later order. For the operator.
 * Throws `not_found` when there is no such order, and `invalid_request` while the alias, or a planned move of it, needs the model, also
 * as a part of a cascade.
 */
export async function stopModel({ pool }: Runtime, actor: Actor, { model }: { model: string }): Promise<void> {
  requireRight(actor, "service.operate")
  const source = OFFERED_MODELS.find(({ name }) => name === model)?.source ?? model
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row<"ModelOrder", "id" | "source" | "model_id">>(
      "SELECT id, source, model_id FROM model_order WHERE ended_at IS NULL AND $1 IN (source, model_id) FOR UPDATE",
      [source],
    )
    const [order] = rows
    if (!order) throw new ServiceError("not_found", { message: "No order runs this model." })
    if (order.model_id !== null) await requireUnused(client, order.model_id)
    await client.query("UPDATE model_order SET ended_at = now() WHERE id = $1", [order.id])
    await recordAudit(client, actor, { action: "model.stop", subject: order.source })
  })
}

export type RunState = "preparing" | "downloading" | "loading" | "running" | "failed"

/** How far a server is with an order. */
export interface OrderRun {
  host: string
  address: string | null
  state: RunState
  doneBytes: number | null
  totalBytes: number | null
  /** Why it failed; else null. */
  reason: string | null
}

interface ModelOrder {
  source: string
  /** Null before a server loaded the model. */
  modelId: string | null
  /** ISO text. */
  orderedAt: string
  /** One for each server that has begun. */
  runs: OrderRun[]
}

/** Returns the open orders, the oldest first, with what each server that runs now does for them. For operators. */
export async function listModelOrders({ pool }: Runtime, actor: Actor): Promise<ModelOrder[]> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<Row<"ModelOrder", "source" | "model_id" | "ordered_at"> & { runs: OrderRun[] }>(
    `SELECT source, model_id, ordered_at, coalesce((
       SELECT jsonb_agg(jsonb_build_object('host', host, 'address', address, 'state', state,
         'doneBytes', done_bytes, 'totalBytes', total_bytes, 'reason', reason) ORDER BY started_at, p.id)
       FROM model_order_run JOIN server_process p ON p.id = process_id
       WHERE order_id = model_order.id AND stopped_at IS NULL AND seen_at > clock_timestamp() - interval '15 seconds'), '[]') AS runs
     FROM model_order WHERE ended_at IS NULL ORDER BY ordered_at, id`,
  )
  return rows.map(({ source, model_id: modelId, ordered_at: at, runs }) => ({
    source,
    modelId,
    orderedAt: at.toISOString(),
    runs,
  }))
}
