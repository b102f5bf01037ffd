-- Ends a grant. Each of these requests without a hold gets one for its maximum cost, as old as its draw `ages_ms` ago, and the rest is
-- released. Returns 'voided', the state of a grant that had ended before, or 'unknown'. Raises check_violation when the grant has less than these holds need.
CREATE OR REPLACE FUNCTION end_grant(
  grant_id uuid, ids uuid[], models text[], prices bigint[], max_tokens bigint[], ages_ms integer[] DEFAULT '{}'
) RETURNS text LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  t timestamptz;
  day timestamptz;
  g hold;
  kept bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM 1 FROM account WHERE id = (SELECT account_id FROM hold WHERE id = grant_id) FOR NO KEY UPDATE;
  t := ledger_now();
  SELECT * INTO g FROM hold WHERE id = grant_id;
  IF g.state = 'held' THEN
    WITH kept_hold AS (
      INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, tags, created_at, expires_at)
      SELECT d.id, g.account_id, g.key_id, d.model, d.price, d.max_tokens, g.tags,
        t - coalesce(d.age_ms, 0) * interval '1 ms', t + hold_lifetime()
      FROM unnest(ids, models, prices, max_tokens, ages_ms) AS d(id, model, price, max_tokens, age_ms)
      -- Without a row of its own, the request was neither charged nor given up.
      WHERE NOT EXISTS (SELECT FROM hold WHERE hold.id = d.id)
      RETURNING amount_pico
    ) SELECT coalesce(sum(amount_pico), 0) INTO kept FROM kept_hold;
    -- A crash of PostgreSQL may have lost credit of the grant. The caller then ends it without holds for its requests.
    IF kept > g.amount_pico THEN RAISE EXCEPTION 'grant % has less than its requests drew', grant_id USING ERRCODE = 'check_violation'; END IF;
    UPDATE account SET held_pico = held_pico - g.amount_pico + kept, ledger_day = day_at(account, t) WHERE id = g.account_id
      RETURNING ledger_day INTO day;
    UPDATE api_key SET held_pico = held_pico - g.amount_pico + kept, spent_pico = spent_in_period(api_key, day),
        period_start = period_at(api_key, day)
      WHERE id = g.key_id;
    PERFORM count_in_budgets(ARRAY[g.key_id], ARRAY[array_to_string(g.tags, ',')], ARRAY[kept - g.amount_pico], '{0}');
    UPDATE hold SET state = 'voided', resolved_at = t WHERE id = grant_id;
    g.state := 'voided';
  END IF;
  DELETE FROM credit_grant WHERE hold_id = grant_id;
  RETURN coalesce(g.state, 'unknown');
END $$;
