-- Captures holds: each one's reserved amount is released, its tokens times its price are charged, and its ledger entry is
-- written. Returns one row for each item, in their order: 'captured', 'exceeds' (more tokens than were held; nothing is
-- charged), 'unknown', or the state that the hold already has. A single request is a batch of one.
-- Of two items for one hold, the first valid one charges it and the other one is 'captured' too.
CREATE OR REPLACE FUNCTION charge_holds(ids uuid[], used bigint[], latencies_ms integer[], question_counts jsonb[])
RETURNS TABLE (state text) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE t timestamptz;
BEGIN
  -- A hold changes only under the lock of its account, so what the statement below reads stays true until it ends.
  PERFORM 1 FROM account WHERE id IN (SELECT account_id FROM hold WHERE hold.id = ANY(ids)) ORDER BY id FOR NO KEY UPDATE;
  t := ledger_now();
  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT u.*, h.state, min(u.n) FILTER (WHERE h.state = 'held' AND (u.used > h.max_tokens) IS NOT TRUE) OVER (PARTITION BY u.id) AS first
    FROM unnest(ids, used, latencies_ms, question_counts) WITH ORDINALITY AS u(id, used, latency_ms, counts, n)
      LEFT JOIN hold h ON h.id = u.id
  ), captured AS (
    -- The table's CHECKs refuse a negative or missing number of tokens.
    UPDATE hold SET state = 'captured', tokens = asked.used, resolved_at = t
    FROM asked WHERE hold.id = asked.id AND asked.n = asked.first
    RETURNING hold.id, hold.account_id, hold.key_id, hold.model_id, hold.price_pico, hold.amount_pico, hold.tokens,
      hold.price_pico * hold.tokens AS charge, asked.latency_ms, asked.counts, asked.n
  ), on_accounts AS (
    UPDATE account SET held_pico = held_pico - freed.amount, balance_pico = balance_pico - freed.charge
    FROM (SELECT account_id, sum(amount_pico)::bigint AS amount, sum(charge)::bigint AS charge FROM captured GROUP BY account_id) AS freed
    WHERE account.id = freed.account_id RETURNING account.id, account.balance_pico AS after
  ), on_keys AS (
    UPDATE api_key SET held_pico = held_pico - freed.amount, spent_pico = spent_in_period(api_key, t) + freed.charge,
      period_start = period_at(api_key, t)
    FROM (SELECT key_id, sum(amount_pico)::bigint AS amount, sum(charge)::bigint AS charge FROM captured GROUP BY key_id) AS freed
    WHERE api_key.id = freed.key_id RETURNING api_key.id, api_key.period_start
  ), entries AS (
    -- A clock that is set back over midnight must not date a charge before the period that it counts in.
    INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
      latency_ms, question_counts, noul_count, choice_count, score_count, created_at)
    SELECT c.account_id, 'charge', -c.charge,
      a.after + (sum(c.charge) OVER (PARTITION BY c.account_id ORDER BY c.n DESC))::bigint - c.charge,
      c.id, c.key_id, c.model_id, c.tokens, c.price_pico, c.latency_ms, c.counts,
      -- For processes of the last release, which read these columns; they go in the next one.
      coalesce((c.counts ->> 'noul')::integer, 0), coalesce((c.counts ->> 'choice')::integer, 0),
      coalesce((c.counts ->> 'score')::integer, 0), greatest(t, k.period_start)
    -- Outer joins: a hold never ends without its entry, even if its account or key were missing.
    FROM captured c LEFT JOIN on_accounts a ON a.id = c.account_id LEFT JOIN on_keys k ON k.id = c.key_id ORDER BY c.n
  )
  SELECT CASE WHEN state IS NULL THEN 'unknown' WHEN state <> 'held' THEN state WHEN n >= first THEN 'captured' ELSE 'exceeds' END
  FROM asked ORDER BY n;
END $$;
