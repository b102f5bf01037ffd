import { NIL_UUID } from "@/lib/server/platform/ids"

// Checks the rows since a checkpoint against its anchors: the balance and sums of each account and key at that time. $1 is the checkpoint's
// `from`, a full hour, because usage is summed up by hour. Sums of days before it are not read. Each query returns the rows that violate
// an invariant. If there are any, `ledger verify` checks everything.

const RECENT_ENTRIES = `
  recent AS MATERIALIZED (SELECT * FROM ledger_entry WHERE created_at >= $1),
  fresh AS MATERIALIZED (
    SELECT e.* FROM recent e LEFT JOIN account_anchor n USING (account_id) WHERE e.id > coalesce(n.entry_id, 0))`

const RECENT_HOLDS = `
  open_hold AS MATERIALIZED (
    SELECT * FROM hold WHERE state = 'held' AND expires_at > least($1, (SELECT done_until FROM job_mark WHERE name = 'sweep holds'))),
  settled AS MATERIALIZED (SELECT * FROM hold WHERE state = 'captured' AND expires_at > $1 AND resolved_at > $1 + interval '1 minute')`

/** The finest sums, which leave out those of all keys and of all models. */
export const OF_ONE = `s.key_id <> '${NIL_UUID}' AND s.model_id <> '*'`

/** What a charge costs by its rule. Does not call `token_cost`, so that charges of a wrong one are found. */
export const COST = "CASE WHEN e.price_rule IS NULL THEN h.tokens * h.price_pico END"

/** Whether a hold was made more than two seconds after its key was revoked, paused or expired, or its account was suspended or closed. */
export const LATE = "h.created_at > least(k.revoked_at, k.paused_at, k.expires_at, a.inactive_since) + interval '2 s'"

const CHECKS: Record<string, string> = {
  balance: `
    SELECT a.id::text FROM account a LEFT JOIN account_anchor n ON n.account_id = a.id
      LEFT JOIN (SELECT account_id, sum(amount_pico) AS amount FROM fresh GROUP BY 1) f ON f.account_id = a.id
    WHERE a.balance_pico <> coalesce(n.balance_pico, 0) + coalesce(f.amount, 0)
    UNION ALL SELECT n.account_id::text FROM account_anchor n WHERE NOT EXISTS (SELECT FROM account a WHERE a.id = n.account_id)`,
  chain: `
    SELECT f.id::text FROM (SELECT id, account_id, balance_after_pico, sum(amount_pico) OVER (PARTITION BY account_id ORDER BY id) AS running FROM fresh) f
      LEFT JOIN account_anchor n USING (account_id) WHERE f.balance_after_pico <> coalesce(n.balance_pico, 0) + f.running`,
  "reserved by account": `
    SELECT a.id::text FROM account a LEFT JOIN (SELECT account_id, sum(amount_pico) AS amount FROM open_hold GROUP BY 1) h ON h.account_id = a.id
    WHERE a.held_pico <> coalesce(h.amount, 0)`,
  "reserved by key": `
    SELECT k.id::text FROM api_key k LEFT JOIN (SELECT key_id, sum(amount_pico) AS amount FROM open_hold GROUP BY 1) h ON h.key_id = k.id
    WHERE k.held_pico <> coalesce(h.amount, 0)`,
  charges: `
    SELECT h.id::text FROM settled h LEFT JOIN recent e ON e.hold_id = h.id
    WHERE e.id IS NULL OR (e.account_id, e.key_id, e.model_id, e.tokens, e.price_pico, e.amount_pico)
      IS DISTINCT FROM (h.account_id, h.key_id, h.model_id, h.tokens, h.price_pico, -(${COST}))
    UNION ALL SELECT hold_id::text FROM recent WHERE hold_id IS NOT NULL GROUP BY hold_id HAVING count(*) > 1
    UNION ALL
    SELECT e.id::text FROM fresh e LEFT JOIN hold h ON h.id = e.hold_id LEFT JOIN charged_hold c ON c.hold_id = e.hold_id
    WHERE e.kind = 'charge' AND e.created_at > now() - interval '6 days'
      AND (h.id IS NULL OR c.hold_id IS NULL OR h.state <> 'captured' OR e.amount_pico IS DISTINCT FROM -(${COST}))`,
  references: `
    SELECT e.id::text FROM fresh e LEFT JOIN account a ON a.id = e.account_id LEFT JOIN api_key k ON k.id = e.key_id AND k.account_id = e.account_id
      LEFT JOIN model m ON m.id = e.model_id
    WHERE a.id IS NULL OR (e.kind = 'charge' AND (k.id IS NULL OR m.id IS NULL))
    UNION ALL SELECT h.id::text FROM open_hold h LEFT JOIN api_key k ON k.id = h.key_id AND k.account_id = h.account_id WHERE k.id IS NULL`,
  sources: `
    SELECT source FROM (SELECT * FROM ledger_source WHERE created_at >= $1) s FULL JOIN (SELECT * FROM recent WHERE kind <> 'charge') e USING (source)
    WHERE (s.account_id, s.entry_id, s.created_at) IS DISTINCT FROM (e.account_id, e.id, e.created_at)`,
  spend: `
    SELECT k.id::text FROM api_key k LEFT JOIN key_anchor n ON n.key_id = k.id LEFT JOIN (
      SELECT f.key_id, -sum(amount_pico) AS spent, -sum(amount_pico) FILTER (WHERE f.created_at >= key.period_start) AS of_period
      FROM fresh f JOIN api_key key ON key.id = f.key_id WHERE f.kind = 'charge' GROUP BY 1) f ON f.key_id = k.id
    WHERE k.spent_pico <> CASE WHEN k.limit_period = 'daily' AND k.period_start > n.period_start THEN coalesce(f.of_period, 0)
      ELSE coalesce(n.spent_pico, 0) + coalesce(f.spent, 0) END`,
  "reserved by budget": `
    SELECT b.id::text FROM budget b LEFT JOIN api_key k ON k.account_id = b.account_id
      LEFT JOIN open_hold h ON h.key_id = k.id AND b.subject = ANY(budget_subjects(k, h.tags))
    GROUP BY b.id HAVING b.held_pico <> coalesce(sum(h.amount_pico), 0)`,
  budgets: "SELECT b.id::text FROM budget b WHERE b.spent_pico <> budget_spend(b)",
  authority: `
    SELECT h.id::text FROM settled h JOIN api_key k ON k.id = h.key_id JOIN account a ON a.id = h.account_id WHERE ${LATE}`,
  limits: "SELECT id::text FROM api_key WHERE limit_pico IS NOT NULL AND spent_pico + held_pico > limit_pico",
  usage: `
    SELECT m.account_id::text FROM usage_mark m
      LEFT JOIN (SELECT e.account_id, -sum(e.amount_pico) AS charged FROM recent e JOIN usage_mark m USING (account_id)
        WHERE e.kind = 'charge' AND e.id <= m.entry_id GROUP BY 1) e ON e.account_id = m.account_id
      CROSS JOIN LATERAL (SELECT coalesce(sum(cost_pico) FILTER (WHERE unit = 'hour' AND start >= $1), 0) AS of_hours,
        coalesce(sum(cost_pico) FILTER (WHERE unit = 'hour'), 0) AS by_hour, coalesce(sum(cost_pico) FILTER (WHERE unit = 'day'), 0) AS by_day
        FROM usage_sum s WHERE s.account_id = m.account_id AND unit IN ('hour', 'day') AND start >= date_trunc('day', $1, 'UTC') AND ${OF_ONE}) s
    WHERE s.of_hours <> coalesce(e.charged, 0) OR s.by_hour <> s.by_day`,
  tags: `
    SELECT account_id::text FROM (
        SELECT m.account_id, s.tag, s.cost FROM usage_mark m CROSS JOIN LATERAL (SELECT tag, sum(cost_pico) AS cost FROM tag_sum t
          WHERE t.account_id = m.account_id AND unit = 'hour' AND start >= $1 GROUP BY 1) s) s
      FULL JOIN (SELECT e.account_id, tag, -sum(e.amount_pico) AS cost FROM recent e JOIN usage_mark m USING (account_id)
        CROSS JOIN unnest(e.tags) AS tag WHERE e.kind = 'charge' AND e.id <= m.entry_id GROUP BY 1, 2) e USING (account_id, tag)
    WHERE s.cost IS DISTINCT FROM e.cost`,
  grants: `
    SELECT g.hold_id::text FROM credit_grant g LEFT JOIN hold h ON h.id = g.hold_id
    WHERE (h.account_id, h.key_id) IS DISTINCT FROM (g.account_id, g.key_id) OR h.state = 'captured'`,
  expiry: "SELECT id::text FROM open_hold WHERE expires_at < ledger_now() - interval '60 s'",
}

/** Gives the parameter its type, which PostgreSQL cannot derive everywhere. */
const typed = (sql: string): string => sql.replaceAll("$1", "$1::timestamptz")

const parts = Object.values(CHECKS).map((sql) => `(${sql})`)

/** Returns whether anything after the checkpoint violates an invariant. Takes the checkpoint's `from` as `$1`. */
export const FIND_RECENT = `WITH ${typed(`${RECENT_ENTRIES}, ${RECENT_HOLDS}`)} SELECT EXISTS (${typed(parts.join(" UNION ALL "))}) AS found`

/** Moves the anchors to the entries that were checked now. */
export const MOVE_ACCOUNTS = `
WITH ${typed(RECENT_ENTRIES)}
INSERT INTO account_anchor AS n SELECT a.id, max(f.id), a.balance_pico FROM fresh f JOIN account a ON a.id = f.account_id GROUP BY a.id
ON CONFLICT (account_id) DO UPDATE SET entry_id = EXCLUDED.entry_id, balance_pico = EXCLUDED.balance_pico`

/** Sets the anchors after everything was checked. */
export const SET_ACCOUNTS = `
INSERT INTO account_anchor SELECT a.id, max(e.id), a.balance_pico FROM ledger_entry e JOIN account a ON a.id = e.account_id GROUP BY a.id`

export const SET_KEYS = `
INSERT INTO key_anchor AS n SELECT id, spent_pico, period_start FROM api_key
ON CONFLICT (key_id) DO UPDATE SET spent_pico = EXCLUDED.spent_pico, period_start = EXCLUDED.period_start
WHERE (n.spent_pico, n.period_start) IS DISTINCT FROM (EXCLUDED.spent_pico, EXCLUDED.period_start)`

/** Returns a digest of all anchors. A change of any of them changes it. */
export const DIGEST = `
SELECT encode(sha256(convert_to(concat(
  (SELECT string_agg(concat_ws(' ', account_id, entry_id, balance_pico), E'\\n' ORDER BY account_id) FROM account_anchor), ';',
  (SELECT string_agg(concat_ws(' ', key_id, spent_pico, extract(epoch FROM period_start)), E'\\n' ORDER BY key_id) FROM key_anchor)), 'UTF8')), 'hex') AS digest`
