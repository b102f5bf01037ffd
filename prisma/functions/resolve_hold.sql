-- A clock that is set back over midnight must not date a charge before the period it is counted in: the ledger alone
-- reproduces what a key spent.
CREATE OR REPLACE FUNCTION resolve_hold(
  h uuid, new_state text, used bigint, latency integer, nouls integer, choices integer, scores integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE x hold; y api_key; t timestamptz; counted timestamptz; today timestamptz; charge bigint; after bigint;
BEGIN
  SELECT * INTO x FROM hold WHERE id = h;
  IF x.id IS NULL THEN RETURN 'unknown'; END IF;
  PERFORM 1 FROM account WHERE id = x.account_id FOR NO KEY UPDATE;
  SELECT * INTO y FROM api_key WHERE id = x.key_id FOR NO KEY UPDATE;
  SELECT * INTO x FROM hold WHERE id = h FOR UPDATE;
  t := ledger_now(); counted := greatest(t, y.period_start); today := date_trunc('day', t, 'UTC');
  IF x.state <> 'held' THEN RETURN x.state; END IF;
  IF new_state = 'expired' AND x.expires_at > t THEN RETURN 'held'; END IF;
  IF new_state = 'captured' AND (used IS NULL OR used < 0) THEN RAISE EXCEPTION 'a capture needs its tokens'; END IF;
  IF new_state = 'captured' AND used > x.max_tokens THEN RETURN 'exceeds'; END IF;
  charge := CASE WHEN new_state = 'captured' THEN x.price_pico * used ELSE 0 END;
  y.spent_pico := spent_in_period(y, t);
  IF y.limit_period = 'daily' AND today > y.period_start THEN y.period_start := today; END IF;
  UPDATE api_key SET held_pico = held_pico - x.amount_pico, spent_pico = y.spent_pico + charge, period_start = y.period_start
    WHERE id = x.key_id;
  UPDATE account SET held_pico = held_pico - x.amount_pico, balance_pico = balance_pico - charge
    WHERE id = x.account_id RETURNING balance_pico INTO after;
  UPDATE hold SET state = new_state, tokens = CASE WHEN new_state = 'captured' THEN used END, resolved_at = t WHERE id = h;
  IF new_state = 'captured' THEN
    INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
        latency_ms, noul_count, choice_count, score_count, created_at)
      VALUES (x.account_id, 'charge', -charge, after, h, x.key_id, x.model_id, used, x.price_pico,
        latency, nouls, choices, scores, counted);
  END IF;
  RETURN new_state;
END $$;
