import type { Pool } from "pg"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { insertModel } from "../../test/insert-rows"

interface History {
  accountId: string
  keys: number
  models: string[]
  days: number
  charges: number
  events: number
}

/** Rows of random usage, in order of time, so that ids ascend too. Some keys and models are used far more than others. */
const SHAPE = `
  SELECT now() - random() * $2 * interval '24 h' AS at, $3::uuid[] AS keys, $4::text[] AS models,
    1 + floor(cardinality($3::uuid[]) * random() ^ 2)::int AS key, 1 + floor(cardinality($4::text[]) * random() ^ 3)::int AS model,
    80 + floor(1000 * random() ^ 3)::int AS tokens, greatest(1, exp(4.5 + 0.5 * random_normal())::int) AS ms
  FROM generate_series(1, $1) ORDER BY at`

const CHARGES = `
INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
  latency_ms, noul_count, choice_count, score_count, created_at)
SELECT $5, 'charge', -20000 * tokens, 0, uuidv7(at - now()), keys[key], models[model], tokens, 20000, ms, tokens % 3, tokens % 2,
  tokens % 2, at
FROM (${SHAPE}) shape`

const EVENTS = `
INSERT INTO request_event (id, account_id, key_id, model_id, status, code, latency_ms, created_at)
SELECT uuidv7(at - now()), $5, keys[key], CASE WHEN tokens % 9 > 0 THEN models[model] END, (ARRAY[429, 402, 503, 400])[1 + tokens % 4],
  (ARRAY['rate_limited', 'insufficient_balance', 'model_unavailable', 'invalid_request'])[1 + tokens % 4], ms, at
FROM (${SHAPE}) shape`

async function insertNamedKey(pool: Pool, accountId: string, name: string): Promise<string> {
  const id = newId()
  await pool.query(
    "INSERT INTO api_key (id, account_id, kind, name, masked, secret_sha256) VALUES ($1, $2, 'secret', $3, 'svcd_…', $4)",
    [id, accountId, name, Buffer.from(id)],
  )
  return id
}

/** Inserts past charges and refused requests of an account, without their holds. Returns the UUIDs of the new keys. */
export async function seedUsage(pool: Pool, history: History): Promise<string[]> {
  const { accountId, keys, models, days, charges, events } = history
  for (const model of models) await insertModel(model)
  const ids: string[] = []
  for (let index = 1; index <= keys; index++) ids.push(await insertNamedKey(pool, accountId, `Key ${index}`))
  await inTransaction(pool, async (client) => {
    // Disables foreign keys, because inserting a million holds would take long and change nothing here.
    await client.query("SET LOCAL session_replication_role = replica")
    await client.query(CHARGES, [charges, days, ids, models, accountId])
  })
  await pool.query(EVENTS, [events, days, ids, models, accountId])
  return ids
}
