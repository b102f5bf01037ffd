-- Ends a hold without a charge. Returns the hold's state after the call, or 'unknown' when there is no such hold. `how` is the
-- state to end in, 'voided' or 'expired'. With 'expired', a hold that has not expired yet stays and returns 'held'.
CREATE OR REPLACE FUNCTION release(h uuid, how text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE x hold; t timestamptz; day timestamptz;
BEGIN
  PERFORM 1 FROM account WHERE id = (SELECT account_id FROM hold WHERE id = h) FOR NO KEY UPDATE;
  t := ledger_now();
  SELECT * INTO x FROM hold WHERE id = h;
  IF x.id IS NULL THEN RETURN 'unknown'; END IF;
  IF x.state <> 'held' THEN RETURN x.state; END IF;
  IF how = 'expired' AND x.expires_at > t THEN RETURN 'held'; END IF;
  UPDATE account SET held_pico = held_pico - x.amount_pico, ledger_day = day_at(account, t) WHERE id = x.account_id RETURNING ledger_day INTO day;
  UPDATE api_key SET held_pico = held_pico - x.amount_pico, spent_pico = spent_in_period(api_key, day),
      period_start = period_at(api_key, day)
    WHERE id = x.key_id;
  PERFORM count_in_budgets(ARRAY[x.key_id], ARRAY[array_to_string(x.tags, ',')], ARRAY[-x.amount_pico], '{0}');
  UPDATE hold SET state = CASE how WHEN 'expired' THEN 'expired' ELSE 'voided' END, resolved_at = t WHERE id = h RETURNING state INTO x.state;
  RETURN x.state;
END $$;
