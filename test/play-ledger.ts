import pg, { type ClientBase, type QueryConfig } from "pg"
import { checkLedger, type LedgerCheck } from "@/lib/server/ledger/verify-ledger"
import { afterFile } from "./after-file"
import { testRuntime } from "./database"
import { MODEL_ID, Script } from "./ledger-script"
import type { Sequence } from "./ledger-sequences"

/**
 * Connects to a database of the test file in which the ledger's clock is a setting, and `play` runs many calls in one round trip.
 * Generic plans save a quarter of its time.
 */
export async function connectToPlay(): Promise<pg.Client> {
  const client = new pg.Client((await testRuntime()).databaseUrl)
  afterFile(() => client.end())
  await client.connect()
  await client.query(`
    INSERT INTO model (id, kind, engine, price_pico) VALUES ('${MODEL_ID}', 'pinned', 'lexical', 0) ON CONFLICT DO NOTHING;
    SET plan_cache_mode = force_generic_plan;
    CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
      $$ SELECT current_setting('test.now')::timestamptz $$;
    CREATE OR REPLACE FUNCTION play(calls text[], acc uuid) RETURNS text[] LANGUAGE plpgsql AS $$
    DECLARE call text; result text; state_after text; log text[] := '{}';
    BEGIN
      FOREACH call IN ARRAY calls LOOP
        BEGIN EXECUTE call INTO result; EXCEPTION WHEN raise_exception THEN result := 'refused'; END;
        SELECT concat_ws(' ', balance_pico, held_pico, (
            SELECT string_agg(concat(spent_in_period(k, day_at(a, ledger_now())), '/', k.held_pico), ' ' ORDER BY name)
            FROM api_key k WHERE account_id = a.id), (
            SELECT string_agg(concat(spent_in_budget(b, day_at(a, ledger_now())), '/', b.held_pico), ' ' ORDER BY subject, period)
            FROM budget b WHERE account_id = a.id))
          INTO state_after FROM account a WHERE id = acc;
        log := log || concat(result, ' | ', state_after);
      END LOOP;
      RETURN log;
    END $$`)
  return client
}

/** Checks every invariant of the ledger. PostgreSQL keeps the plan: on few rows, planning takes most of the time of a check. */
export function checkPlayed(client: ClientBase): Promise<LedgerCheck[]> {
  const query = (statement: QueryConfig) => client.query({ ...statement, name: "check-ledger" })
  return checkLedger(Object.assign(Object.create(client), { query }))
}

/** Finds keys that were charged more than their limit in a period. Without ELSE, a key without a daily limit has one period. */
export const OVER_LIMIT = `
  SELECT k.name FROM ledger_entry e JOIN api_key k ON k.id = e.key_id WHERE k.limit_pico IS NOT NULL
  GROUP BY k.id, CASE k.limit_period WHEN 'daily' THEN date_trunc('day', e.created_at, 'UTC') END
  HAVING -sum(e.amount_pico) > k.limit_pico`

/** Finds budgets whose keys were charged more than the limit in a period, or reserve more than is left. Needs limits that never changed. */
export const OVER_BUDGET = `
  SELECT b.subject, b.period FROM budget b JOIN api_key k ON k.account_id = b.account_id AND (b.user_id IS NULL OR b.user_id = k.created_by)
    JOIN ledger_entry e ON e.key_id = k.id AND e.kind = 'charge' AND (b.tag IS NULL OR b.tag = ANY(e.tags))
  GROUP BY b.id, date_trunc(CASE b.period WHEN 'daily' THEN 'day' ELSE 'month' END, e.created_at, 'UTC') HAVING -sum(e.amount_pico) > b.limit_pico
  UNION ALL SELECT subject, period FROM budget WHERE spent_pico + held_pico > limit_pico`

export interface Played {
  actual: string[]
  expected: string[]
  /** The names of the ledger's checks that failed, and a sentence for each key over its limit. */
  broken: string[]
}

/** Plays one sequence on a new account, and rolls it back. */
export async function playLedger(client: ClientBase, sequence: Sequence): Promise<Played> {
  const script = new Script(sequence)
  const sql = script.calls.map((call) => call.sql)
  try {
    await client.query(`BEGIN; ${script.setupSql}`)
    const { rows } = await client.query<{ actual: string[] }>("SELECT play($1, $2) AS actual", [sql, script.accountId])
    const broken = (await checkPlayed(client)).filter(({ ok }) => !ok).map(({ name }) => name)
    const over = await client.query<{ name: string }>({ name: "over-limit", text: OVER_LIMIT })
    broken.push(...over.rows.map(({ name }) => `${name} was charged more than its limit in one period`))
    return { actual: rows[0]?.actual ?? [], expected: script.calls.map((call) => call.expected), broken }
  } finally {
    await client.query("ROLLBACK")
  }
}
