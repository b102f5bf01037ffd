-- No hold ends without its row in the ledger, even if an account or a key were gone: then nothing is captured, or the charge
-- is written all the same, as `capture` does.
CREATE OR REPLACE FUNCTION capture_holds(ids uuid[], used bigint[], latencies integer[], nouls integer[], choices integer[], scores integer[])
RETURNS TABLE (state text) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE t timestamptz; done integer;
BEGIN
  PERFORM 1 FROM account WHERE id IN (SELECT account_id FROM hold WHERE hold.id = ANY(ids)) ORDER BY id FOR NO KEY UPDATE;
  t := ledger_now();
  WITH ended AS (
    UPDATE hold SET state = 'captured', tokens = u.used, resolved_at = t
      FROM unnest(ids, used, latencies, nouls, choices, scores) WITH ORDINALITY AS u(id, used, latency, nouls, choices, scores, n)
      WHERE hold.id = u.id AND hold.state = 'held' AND u.used BETWEEN 0 AND hold.max_tokens
      RETURNING hold.id, hold.account_id, hold.key_id, hold.model_id, hold.price_pico, hold.amount_pico, hold.tokens,
        hold.price_pico * u.used AS charge, u.latency, u.nouls, u.choices, u.scores, u.n
  ), on_accounts AS (
    UPDATE account SET held_pico = held_pico - freed.amount, balance_pico = balance_pico - freed.charge
      FROM (SELECT account_id, sum(amount_pico)::bigint AS amount, sum(charge)::bigint AS charge FROM ended GROUP BY account_id) AS freed
      WHERE account.id = freed.account_id RETURNING account.id, account.balance_pico AS after
  ), on_keys AS (
    UPDATE api_key SET held_pico = held_pico - freed.amount, spent_pico = spent_in_period(api_key, t) + freed.charge,
        period_start = period_at(api_key, t)
      FROM (SELECT key_id, sum(amount_pico)::bigint AS amount, sum(charge)::bigint AS charge FROM ended GROUP BY key_id) AS freed
      WHERE api_key.id = freed.key_id RETURNING api_key.id, api_key.period_start
  )
  INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
      latency_ms, noul_count, choice_count, score_count, created_at)
    SELECT e.account_id, 'charge', -e.charge,
        a.after + (sum(e.charge) OVER (PARTITION BY e.account_id ORDER BY e.n DESC))::bigint - e.charge,
        e.id, e.key_id, e.model_id, e.tokens, e.price_pico, e.latency, e.nouls, e.choices, e.scores, greatest(t, k.period_start)
      FROM ended e LEFT JOIN on_accounts a ON a.id = e.account_id LEFT JOIN on_keys k ON k.id = e.key_id ORDER BY e.n;
  GET DIAGNOSTICS done = ROW_COUNT;
  IF done = cardinality(ids) THEN RETURN QUERY SELECT 'captured' FROM generate_series(1, done); RETURN; END IF;
  FOR i IN 1 .. cardinality(ids) LOOP
    RETURN QUERY SELECT capture(ids[i], used[i], latencies[i], nouls[i], choices[i], scores[i]);
  END LOOP;
END $$;
