import type { Pool, PoolClient } from "pg"

/** A schema that replaces the ledger's clock for one connection, and has what `spend` needs. Dropped at the end. */
const SCHEMA = `
CREATE SCHEMA IF NOT EXISTS seed_clock;
CREATE OR REPLACE FUNCTION seed_clock.ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
  $$ SELECT current_setting('seed.now')::timestamptz $$;
-- Runs each request at its own time: reserves its cost and charges it, as the API does. Returns the outcome of each.
CREATE OR REPLACE FUNCTION seed_clock.spend(
  acc uuid, times timestamptz[], ids uuid[], keys uuid[], models text[], prices bigint[], used bigint[], latencies_ms int[], counts jsonb[]
) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE outcomes text[]; result text;
BEGIN
  FOR i IN 1 .. cardinality(ids) LOOP
    PERFORM set_config('seed.now', times[i]::text, true);
    SELECT outcome INTO result FROM place_holds(ids[i:i], ARRAY[acc], keys[i:i], models[i:i], prices[i:i], ARRAY[used[i] + 40]);
    IF result = 'held' THEN
      SELECT state INTO result FROM charge_holds(ids[i:i], used[i:i], latencies_ms[i:i], counts[i:i]);
    END IF;
    outcomes := outcomes || result;
  END LOOP;
  RETURN outcomes;
END $$`

/** Runs `work` on a connection on which the SQL functions of the ledger take the time from `at`. */
export async function withLedgerClock<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  await pool.query(SCHEMA)
  const client = await pool.connect()
  try {
    await client.query("SET search_path = seed_clock, public")
    return await work(client)
  } finally {
    // The next user of the connection must not get this clock.
    client.release(true)
    await pool.query("DROP SCHEMA seed_clock CASCADE")
  }
}

/** Runs `work` in a transaction at a time of the ledger. */
export async function at<Result>(client: PoolClient, time: Date, work: () => Promise<Result>): Promise<Result> {
  await client.query("BEGIN")
  try {
    await client.query("SELECT set_config('seed.now', $1, true)", [time.toISOString()])
    const result = await work()
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  }
}
