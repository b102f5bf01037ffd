import type { Pool, PoolClient } from "pg"
import { insertAccount, insertKey, insertModel } from "../../test/insert-rows"

/**
 * The history covers this many days before today (UTC), so no size has seeded requests today. Holds are kept for a week
 * of it, refused requests for 90 days.
 */
const DAYS = 120
const BATCH = 200_000
const MODELS = ["svc-lexical-baseline-1", "scale-test-1"]
const BIG_KEYS = 20

export interface Seeded {
  /** The account with a tenth of all requests, and its keys. */
  big: { accountId: string; keys: string[] }
  /** Other accounts, with one key each. */
  others: { accountId: string; keyId: string }[]
  model: string
}

// Ids are those of the requests' times, as the product creates them.
const PICK = `
INSERT INTO pg_temp.picked
SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15))::uuid,
  p.account_id, p.key_id, ($4::text[])[1 + (i % 3 = 0)::int], 80 + (i * 7919) % 300, 60 + (i * 104729) % 200, at
FROM (SELECT i, date_trunc('day', now(), 'UTC') - interval '${DAYS} days' + (i::float8 / $3) * interval '${DAYS} days' AS at FROM generate_series($1::bigint, $2::bigint) AS i) AS s
  JOIN pg_temp.payer p ON p.n = CASE WHEN i % 10 = 0 THEN -1 - (i / 10) % ${BIG_KEYS} ELSE (i * 31) % (SELECT max(n) + 1 FROM pg_temp.payer) END`

const HOLDS = `
INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, state, tokens, created_at, expires_at, resolved_at)
SELECT id, account_id, key_id, model_id, 20000, tokens + 20, 'captured', tokens, at, at + interval '150 s', at + ms * interval '1 ms'
FROM pg_temp.picked WHERE at > now() - interval '7 days'`

const CHARGED = "INSERT INTO charged_hold SELECT id FROM pg_temp.picked WHERE at > now() - interval '7 days'"

const ENTRIES = `
INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico, latency_ms,
  noul_count, choice_count, score_count, created_at)
SELECT p.account_id, 'charge', -20000 * tokens, a.balance_pico - sum(20000 * tokens) OVER (PARTITION BY p.account_id ORDER BY at, p.id), p.id, p.key_id,
  p.model_id, tokens, 20000, ms, 1, 2, 0, at + ms * interval '1 ms'
FROM pg_temp.picked p JOIN account a ON a.id = p.account_id ORDER BY at, p.id`

const BALANCES = `
UPDATE account a SET balance_pico = a.balance_pico - s.cost
FROM (SELECT account_id, sum(20000 * tokens) AS cost FROM pg_temp.picked GROUP BY 1) AS s WHERE a.id = s.account_id`

const SPENT = `
UPDATE api_key k SET spent_pico = k.spent_pico + s.cost
FROM (SELECT key_id, sum(20000 * tokens) AS cost FROM pg_temp.picked GROUP BY 1) AS s WHERE k.id = s.key_id`

const REFUSED = `
INSERT INTO request_event (id, account_id, key_id, model_id, status, code, latency_ms, created_at)
SELECT id, account_id, key_id, model_id, 429, 'rate_limited', 1, at FROM pg_temp.picked WHERE tokens % 20 = 0 AND at > now() - interval '90 days'`

/** Creates the partitions of a service that has run for the whole history. */
async function createPartitions(pool: Pool): Promise<void> {
  for (const table of ["ledger_entry", "request_event", "audit_event"]) await pool.query(`DROP TABLE ${table}_before`)
  await pool.query(`SELECT add_partition(t, m, m + interval '1 month') FROM unnest('{ledger_entry,request_event,audit_event}'::text[]) AS t,
    generate_series(date_trunc('month', now() - interval '${DAYS} days', 'UTC'), date_trunc('month', now(), 'UTC') - interval '1 day', '1 month') AS m`)
  await pool.query(`SELECT add_partition(t, d, d + interval '1 day') FROM unnest('{hold,charged_hold}'::text[]) AS t,
    generate_series(date_trunc('day', now(), 'UTC') - interval '8 days', date_trunc('day', now(), 'UTC') - interval '2 days', '1 day') AS d`)
}

async function createPayers(accounts: number): Promise<Seeded> {
  for (const model of MODELS) await insertModel(model)
  const { accountId } = await insertAccount(8_000_000_000_000_000_000n)
  const keys: string[] = []
  for (let i = 0; i < BIG_KEYS; i++) keys.push((await insertKey(accountId)).keyId)
  const others: Seeded["others"] = []
  for (let i = 0; i < accounts; i++) {
    const { accountId } = await insertAccount(1_000_000_000_000_000_000n)
    others.push({ accountId, keyId: (await insertKey(accountId)).keyId })
  }
  return { big: { accountId, keys }, others, model: MODELS[0] ?? "" }
}

async function insertBatch(client: PoolClient, first: number, last: number, requests: number) {
  await client.query("TRUNCATE pg_temp.picked")
  await client.query(PICK, [first, last, requests, MODELS])
  await client.query("ANALYZE pg_temp.picked")
  for (const statement of [HOLDS, CHARGED, ENTRIES, BALANCES, SPENT]) await client.query(statement)
}

/**
 * Inserts charged requests of 120 days as rows that the product would have left. For the last 90 days, inserts a twentieth as many
 * refused ones. The triggers of holds and entries are off: what they would write is inserted in sets. Sums are not filled: the
 * roll-up does that. `accounts` others share nine tenths of the requests.
 */
export async function seedLedger(pool: Pool, requests: number, accounts: number): Promise<Seeded> {
  await createPartitions(pool)
  const seeded = await createPayers(accounts)
  const client = await pool.connect()
  await client.query(`CREATE TEMP TABLE picked (id uuid, account_id uuid, key_id uuid, model_id text, tokens bigint, ms int, at timestamptz);
    CREATE TEMP TABLE payer (n bigint PRIMARY KEY, account_id uuid, key_id uuid)`)
  const { big, others } = seeded
  const rows = [
    ...big.keys.map((keyId, i) => ({ n: -1 - i, accountId: big.accountId, keyId })),
    ...others.map((o, n) => ({ n, ...o })),
  ]
  await client.query("INSERT INTO payer SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::uuid[])", [
    rows.map(({ n }) => n),
    rows.map(({ accountId }) => accountId),
    rows.map(({ keyId }) => keyId),
  ])
  try {
    for (let first = 1; first <= requests; first += BATCH) {
      await client.query("BEGIN; SET LOCAL session_replication_role = replica")
      await insertBatch(client, first, Math.min(requests, first + BATCH - 1), requests)
      await client.query("COMMIT")
      await client.query(REFUSED)
    }
  } finally {
    client.release(true)
  }
  return seeded
}
