-- 'captured' | 'exceeds' | 'unknown' | the state it already has; never charges more than was held.
CREATE OR REPLACE FUNCTION capture(h uuid, used bigint, latency integer, nouls integer, choices integer, scores integer)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE x hold; t timestamptz; charge bigint; after bigint; since timestamptz;
BEGIN
  SELECT * INTO x FROM hold WHERE id = h;
  IF x.id IS NULL THEN RETURN 'unknown'; END IF;
  IF x.state <> 'held' THEN RETURN x.state; END IF;
  IF used IS NULL OR used < 0 THEN RAISE EXCEPTION 'a capture needs its tokens'; END IF;
  IF used > x.max_tokens THEN RETURN 'exceeds'; END IF;
  charge := x.price_pico * used;
  UPDATE account SET held_pico = held_pico - x.amount_pico, balance_pico = balance_pico - charge
    WHERE id = x.account_id AND held_pico >= x.amount_pico RETURNING balance_pico INTO after;
  IF NOT FOUND THEN RETURN (SELECT coalesce(min(state), 'unknown') FROM hold WHERE id = h); END IF; -- another call was first
  t := ledger_now();
  UPDATE hold SET state = 'captured', tokens = used, resolved_at = t WHERE id = h AND state = 'held';
  IF NOT FOUND THEN
    UPDATE account SET held_pico = held_pico + x.amount_pico, balance_pico = balance_pico + charge WHERE id = x.account_id;
    RETURN (SELECT coalesce(min(state), 'unknown') FROM hold WHERE id = h);
  END IF;
  UPDATE api_key SET held_pico = held_pico - x.amount_pico, spent_pico = spent_in_period(api_key, t) + charge,
      period_start = period_at(api_key, t)
    WHERE id = x.key_id RETURNING period_start INTO since;
  INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
      latency_ms, noul_count, choice_count, score_count, created_at)
    VALUES (x.account_id, 'charge', -charge, after, h, x.key_id, x.model_id, used, x.price_pico,
      latency, nouls, choices, scores, greatest(t, since));
  RETURN 'captured';
END $$;
