import type { ClientBase, Pool } from "pg"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { DAY_MS } from "@/lib/shared/time"
import { createCheckpoint, findCheckpoint } from "./checkpoint"
import { COST, FIND_RECENT, LATE, OF_ONE } from "./recent-checks"
import { sweepHolds } from "./sweep-holds"

export interface LedgerCheck {
  name: string
  ok: boolean
  violations: number
}

/**
 * Each invariant, with a query for the rows that violate it. Hourly sums older than the retention are dropped, the oldest first, so
 * the first day that still has any may lack some.
 */
const CHECKS: Record<string, string> = {
  "balance is the sum of the account's ledger": `
    SELECT a.id FROM account a LEFT JOIN ledger_entry e ON e.account_id = a.id
    GROUP BY a.id HAVING a.balance_pico <> coalesce(sum(e.amount_pico), 0)`,
  "each entry continues the balance of the entry before": `
    SELECT id FROM (SELECT id, balance_after_pico,
      sum(amount_pico) OVER (PARTITION BY account_id ORDER BY id) AS running FROM ledger_entry) AS chain
    WHERE balance_after_pico <> running`,
  "an account's reserved amount is the sum of its open holds": `
    SELECT a.id FROM account a LEFT JOIN hold h ON h.account_id = a.id AND h.state = 'held'
    GROUP BY a.id HAVING a.held_pico <> coalesce(sum(h.amount_pico), 0)`,
  "a key's reserved amount is the sum of its open holds": `
    SELECT k.id FROM api_key k LEFT JOIN hold h ON h.key_id = k.id AND h.state = 'held'
    GROUP BY k.id HAVING k.held_pico <> coalesce(sum(h.amount_pico), 0)`,
  "a captured hold has exactly one charge of tokens times price": `
    SELECT h.id FROM hold h LEFT JOIN ledger_entry e ON e.hold_id = h.id LEFT JOIN charged_hold c ON c.hold_id = h.id
    WHERE (h.state = 'captured') <> (e.id IS NOT NULL) OR (h.state = 'captured') <> (c.hold_id IS NOT NULL)
      OR (h.state = 'captured' AND (e.amount_pico IS DISTINCT FROM -(${COST}) OR e.tokens <> h.tokens
        OR e.account_id <> h.account_id OR e.key_id <> h.key_id))
    UNION ALL
    SELECT hold_id FROM ledger_entry WHERE hold_id IS NOT NULL GROUP BY hold_id HAVING count(*) > 1`,
  "each source has exactly one entry": `
    SELECT source FROM ledger_source s FULL JOIN (SELECT * FROM ledger_entry WHERE kind <> 'charge') e USING (source)
    WHERE (s.account_id, s.entry_id, s.created_at) IS DISTINCT FROM (e.account_id, e.id, e.created_at)`,
  "holds and entries refer to existing rows": `
    SELECT h.id::text FROM hold h LEFT JOIN account a ON a.id = h.account_id LEFT JOIN model m ON m.id = h.model_id
      LEFT JOIN api_key k ON k.id = h.key_id AND k.account_id = h.account_id
    WHERE a.id IS NULL OR k.id IS NULL OR m.id IS NULL
    UNION ALL
    SELECT e.id::text FROM ledger_entry e LEFT JOIN account a ON a.id = e.account_id LEFT JOIN hold h ON h.id = e.hold_id
      LEFT JOIN api_key k ON k.id = e.key_id AND k.account_id = e.account_id LEFT JOIN model m ON m.id = e.model_id
    WHERE a.id IS NULL OR (e.kind = 'charge' AND (k.id IS NULL OR m.id IS NULL)) OR (h.id IS NOT NULL
      AND (e.account_id, e.key_id, e.model_id, e.price_pico) IS DISTINCT FROM (h.account_id, h.key_id, h.model_id, h.price_pico))
    UNION ALL
    SELECT c.hold_id::text FROM charged_hold c LEFT JOIN hold h ON h.id = c.hold_id WHERE h.id IS NULL`,
  "no charge is above what was reserved": `
    SELECT h.id FROM hold h JOIN ledger_entry e ON e.hold_id = h.id WHERE -e.amount_pico > h.amount_pico`,
  "no charge was reserved over 2 s after its key or account ended": `
    SELECT h.id FROM hold h JOIN api_key k ON k.id = h.key_id JOIN account a ON a.id = h.account_id WHERE h.state = 'captured' AND ${LATE}`,
  "a key's spend is the sum of its charges in its period": `
    SELECT k.id FROM api_key k LEFT JOIN ledger_entry e ON e.key_id = k.id AND e.kind = 'charge'
      AND (k.limit_period IS DISTINCT FROM 'daily' OR e.created_at >= k.period_start)
    GROUP BY k.id HAVING k.spent_pico <> coalesce(-sum(e.amount_pico), 0)`,
  "no key exceeds its spend limit": `
    SELECT id FROM api_key WHERE limit_pico IS NOT NULL AND spent_pico + held_pico > limit_pico`,
  "a budget's reserved amount is the sum of its open holds": `
    SELECT b.id FROM budget b LEFT JOIN api_key k ON k.account_id = b.account_id
      LEFT JOIN hold h ON h.key_id = k.id AND h.state = 'held' AND b.subject = ANY(budget_subjects(k, h.tags))
    GROUP BY b.id HAVING b.held_pico <> coalesce(sum(h.amount_pico), 0)`,
  "a budget's spend is the sum of its charges in its period": `
    SELECT b.id FROM budget b LEFT JOIN api_key k ON k.account_id = b.account_id LEFT JOIN ledger_entry e ON e.key_id = k.id AND e.kind = 'charge'
        AND e.created_at >= b.period_start AND b.subject = ANY(budget_subjects(k, e.tags))
    GROUP BY b.id HAVING b.spent_pico <> coalesce(-sum(e.amount_pico), 0)`,
  "usage sums equal the charges": `
    SELECT m.account_id FROM usage_mark m
    WHERE (SELECT coalesce(sum(s.cost_pico), 0) FROM usage_sum s WHERE s.account_id = m.account_id AND s.unit = 'day' AND ${OF_ONE})
      <> (SELECT coalesce(-sum(e.amount_pico), 0) FROM ledger_entry e
        WHERE e.account_id = m.account_id AND e.kind = 'charge' AND e.id <= m.entry_id)`,
  "sums by tag equal the charges with the tag": `
    WITH summed AS (SELECT account_id, tag, sum(cost_pico) AS cost FROM tag_sum WHERE unit = 'day' GROUP BY 1, 2),
    charged AS (SELECT e.account_id, tag, -sum(e.amount_pico) AS cost FROM ledger_entry e JOIN usage_mark m ON m.account_id = e.account_id
        AND e.id <= m.entry_id CROSS JOIN unnest(e.tags) AS tag WHERE e.kind = 'charge' GROUP BY 1, 2)
    SELECT account_id FROM summed s FULL JOIN charged c USING (account_id, tag) WHERE s.cost IS DISTINCT FROM c.cost`,
  "usage sums by hour equal those by day": `
    WITH days AS (SELECT account_id, start AS day, sum(cost_pico) AS cost FROM usage_sum s WHERE unit = 'day' AND ${OF_ONE} GROUP BY 1, 2),
    hours AS (SELECT account_id, date_trunc('day', start, 'UTC') AS day, sum(cost_pico) AS cost
      FROM usage_sum s WHERE unit = 'hour' AND ${OF_ONE} GROUP BY 1, 2),
    firsts AS (SELECT account_id, min(day) AS day FROM hours GROUP BY 1)
    SELECT d.account_id FROM days d JOIN firsts f USING (account_id) LEFT JOIN hours h ON h.account_id = d.account_id AND h.day = d.day
    WHERE coalesce(h.cost, 0) <> d.cost AND (d.day > f.day
      OR d.day = f.day AND NOT EXISTS (SELECT 1 FROM days e WHERE e.account_id = d.account_id AND e.day < d.day))`,
  "a grant is a hold of its account and key": `
    SELECT g.hold_id FROM credit_grant g LEFT JOIN hold h ON h.id = g.hold_id
    WHERE (h.account_id, h.key_id) IS DISTINCT FROM (g.account_id, g.key_id) OR h.state = 'captured'`,
  "no hold is open after its expiry": `
    SELECT id FROM hold WHERE state = 'held' AND expires_at < ledger_now() - interval '60 s'`,
}

/** A whole check reads every row, so the limit of ordinary statements does not apply. */
const CHECK_LIMIT_MS = DAY_MS

const CHECK_ALL = Object.entries(CHECKS)
  .map(([name, sql]) => `SELECT $$${name}$$ AS name, count(*)::int AS violations FROM (${sql}) AS broken`)
  .join(" UNION ALL ")

/** Checks every invariant of the money tables on one snapshot of the database. */
export async function checkLedger(db: Pool | ClientBase): Promise<LedgerCheck[]> {
  const statement = { text: CHECK_ALL, query_timeout: CHECK_LIMIT_MS }
  const { rows } = await db.query<{ name: string; violations: number }>(statement)
  return rows.map(({ name, violations }) => ({ name, ok: violations === 0, violations }))
}

export interface Verification {
  ok: boolean
  /** The checkpoint whose later rows were checked; null when all rows were. */
  since: Date | null
  checks: LedgerCheck[]
}

/** Allows one verification at a time, because each moves the anchors of the one before. The snapshot begins after the lock. */
const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE ledger_checkpoint IN SHARE ROW EXCLUSIVE MODE"

async function verifyOn(runtime: Runtime, client: ClientBase, all: boolean): Promise<Verification> {
  const { rows } = await client.query<{ at: Date }>("SELECT date_trunc('milliseconds', ledger_now()) AS at")
  const at = rows[0]?.at ?? new Date()
  const last = all ? null : await findCheckpoint(runtime, client)
  const { rows: recent } = last ? await client.query(FIND_RECENT, [last.from]) : { rows: [] }
  const checkpoint = last && !recent[0]?.found ? last : null
  const checks = checkpoint
    ? Object.keys(CHECKS).map((name) => ({ name, ok: true, violations: 0 }))
    : await checkLedger(client)
  const ok = checks.every((check) => check.ok)
  if (ok) await createCheckpoint(runtime, client, at, checkpoint)
  return { ok, since: checkpoint?.at ?? null, checks }
}

/**
 * Runs `operator ledger verify`: releases the holds that a crash left open, as every server does, and checks every invariant on one
 * snapshot. It checks what came after the last checkpoint, or everything: with `all`, without a valid checkpoint, and when it finds
 * a violation. A sound ledger becomes a signed checkpoint.
 */
export async function verifyLedger(runtime: Runtime, { all = false } = {}): Promise<Verification> {
  await sweepHolds(runtime)
  return inTransaction(runtime.pool, (client) => verifyOn(runtime, client, all), BEGIN)
}
