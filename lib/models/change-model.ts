import "server-only"
import { inTransaction } from "../db/transaction"
import { ServiceError } from "../errors"
import type { Pico } from "../money"
import { runtime } from "../runtime"
import type { ModelLimits } from "./catalogue"

const COLUMNS = {
  maxQuestions: "max_questions",
  maxOptions: "max_options",
  maxLevels: "max_levels",
  maxBodyBytes: "max_body_bytes",
} as const satisfies Record<keyof ModelLimits, string>

const CEILINGS: ModelLimits = { maxQuestions: 128, maxOptions: 255, maxLevels: 10, maxBodyBytes: 29_360_128 }

async function changeOne(sql: string, values: unknown[]): Promise<void> {
  const { rowCount } = await runtime().pool.query(sql, values)
  if (rowCount !== 1) throw new ServiceError("invalid_model")
}

/** Sets the price of a pinned model, in pico-USD per token. Requests in flight keep the price of their hold. */
export async function setPrice(id: string, pricePico: Pico): Promise<void> {
  await changeOne("UPDATE model SET price_pico = $2 WHERE id = $1 AND kind = 'pinned'", [id, pricePico])
}

/** Sets some of a pinned model's limits; none may be above the global ceilings of spec.md. */
export async function setLimits(id: string, limits: Partial<ModelLimits>): Promise<void> {
  for (const name of Object.keys(COLUMNS) as (keyof ModelLimits)[]) {
    const value = limits[name]
    if (value === undefined) continue
    if (!Number.isInteger(value) || value < 1 || value > CEILINGS[name])
      throw new ServiceError("invalid_request", {
        param: name,
        message: `${name} is a whole number from 1 to ${CEILINGS[name]}.`,
      })
    await changeOne(`UPDATE model SET ${COLUMNS[name]} = $2 WHERE id = $1 AND kind = 'pinned'`, [id, value])
  }
}

/**
 * Retires a pinned model, naming its successor or none. The alias's target is refused: the alias is never retired. The
 * model's row is locked first, as a move of the alias locks it, so that of the two the later one sees the earlier.
 */
export async function retireModel(id: string, replacementId: string | null): Promise<void> {
  await inTransaction(runtime().pool, async (client) => {
    const model = await client.query("SELECT 1 FROM model WHERE id = $1 AND kind = 'pinned' FOR UPDATE", [id])
    const { rows } = await client.query<{ is_target: boolean; replacement_ok: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM model WHERE target_id = $1) AS is_target,
         $2::text IS NULL OR EXISTS (SELECT 1 FROM model WHERE id = $2 AND status = 'active' AND id <> $1) AS replacement_ok`,
      [id, replacementId],
    )
    if (rows[0]?.is_target)
      throw new ServiceError("invalid_request", {
        param: "id",
        message: "The alias points at this model: move the alias first.",
      })
    if (!rows[0]?.replacement_ok)
      throw new ServiceError("invalid_request", {
        param: "replacement",
        message: "The replacement is not another active model.",
      })
    if (model.rowCount !== 1) throw new ServiceError("invalid_model")
    await client.query("UPDATE model SET status = 'retired', replacement_id = $2 WHERE id = $1", [id, replacementId])
  })
}

/** Where a pinned model's engine is reached now. What it runs is pinned and does not change. */
export async function setEngineUrl(id: string, engineUrl: string): Promise<void> {
  await changeOne("UPDATE model SET engine_url = $2 WHERE id = $1 AND engine = 'system-one'", [id, engineUrl])
}
