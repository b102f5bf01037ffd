-- Sets the limit of an account's budget, or of a member's or a tag's, and returns its row. A new budget counts what was spent in its period
-- and what is reserved. An open hold expires after the mark of the last sweep, unless the clock was set back since. Null for an unknown account.
CREATE OR REPLACE FUNCTION set_budget(new_id uuid, acc uuid, member uuid, per text, amount bigint, tag text DEFAULT NULL) RETURNS budget LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE a account; b budget; t timestamptz;
BEGIN
  SELECT * INTO a FROM account WHERE id = acc FOR NO KEY UPDATE;
  IF a.id IS NULL THEN RETURN NULL; END IF;
  t := ledger_now();
  UPDATE account SET ledger_day = day_at(account, t) WHERE id = acc RETURNING * INTO a;
  INSERT INTO budget AS kept (id, account_id, user_id, tag, subject, period, limit_pico, period_start)
    VALUES (new_id, acc, member, set_budget.tag, coalesce(member::text, set_budget.tag, ''), per, amount, '-infinity')
    ON CONFLICT (account_id, subject, period) DO UPDATE SET limit_pico = EXCLUDED.limit_pico, warned_percent = 0
    RETURNING * INTO b;
  IF b.id <> new_id THEN RETURN b; END IF;
  b.period_start := budget_start(b, a.ledger_day);
  UPDATE budget SET period_start = b.period_start, spent_pico = budget_spend(b), held_pico = (
      SELECT coalesce(sum(h.amount_pico), 0) FROM hold h JOIN api_key k ON k.id = h.key_id
      WHERE h.account_id = acc AND h.state = 'held' AND b.subject = ANY(budget_subjects(k, h.tags))
        AND h.expires_at > coalesce((SELECT done_until FROM job_mark WHERE name = 'sweep holds' AND done_until <= t), '-infinity'))
    WHERE id = new_id RETURNING * INTO b;
  RETURN b;
END $$;
