import type { ClientBase, Pool } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, usdPerMillion } from "@/lib/shared/money"
import type { ModelLimits } from "./catalogue"

/** Runs an update of one model. Throws `invalid_model` when no model matches. */
async function updateOne(db: Pool | ClientBase, sql: string, values: unknown[]): Promise<void> {
  const { rowCount } = await db.query(sql, values)
  if (rowCount !== 1) throw new ServiceError("invalid_model")
}

interface SetPriceInput {
  id: string
  /** pico-USD per token. */
  pricePico: Pico
}

/** Sets the price of a pinned model. Requests in flight keep the price of their hold. For the operator. Throws `invalid_model`. */
export async function setPrice({ pool }: Runtime, actor: Actor, { id, pricePico }: SetPriceInput): Promise<void> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    await updateOne(client, "UPDATE model SET price_pico = $2 WHERE id = $1 AND kind = 'pinned'", [id, pricePico])
    await recordAudit(client, actor, {
      action: "model.price",
      subject: id,
      detail: `$${usdPerMillion(pricePico)}`,
    })
  })
}

const COLUMNS = {
  maxQuestions: "max_questions",
  maxOptions: "max_options",
  maxLevels: "max_levels",
  maxBodyBytes: "max_body_bytes",
} as const satisfies Record<keyof ModelLimits, string>

/** Limits that are left out stay as they are. None is above `MAX_LIMITS`. */
type SetLimitsInput = { id: string } & Partial<ModelLimits>

/** Sets some limits of a pinned model, all or none of them. For the operator. Throws `invalid_model`. */
export async function setLimits({ pool }: Runtime, actor: Actor, { id, ...limits }: SetLimitsInput): Promise<void> {
  requireRight(actor, "service.operate")
  const names = (Object.keys(COLUMNS) as (keyof ModelLimits)[]).filter((name) => limits[name] !== undefined)
  if (names.length === 0) return
  const changes = names.map((name, i) => `${COLUMNS[name]} = $${i + 2}`).join(", ")
  const sql = `UPDATE model SET ${changes} WHERE id = $1 AND kind = 'pinned'`
  await inTransaction(pool, async (client) => {
    await updateOne(client, sql, [id, ...names.map((name) => limits[name])])
    const detail = names.map((name) => `${COLUMNS[name]} ${limits[name]}`).join(", ")
    await recordAudit(client, actor, { action: "model.limits", subject: id, detail })
  })
}
