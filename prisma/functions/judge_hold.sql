-- One hold with every verdict, as `place_hold` was: 'held' | 'revoked' | 'expired_key' | 'key_limit' | 'insufficient'.
CREATE OR REPLACE FUNCTION judge_hold(h uuid, acc uuid, k uuid, model text, price bigint, most bigint)
RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE a account; y api_key; t timestamptz; today timestamptz;
BEGIN
  required_pico := price * most;
  SELECT * INTO a FROM account WHERE id = acc FOR NO KEY UPDATE;
  SELECT * INTO y FROM api_key WHERE id = k AND account_id = acc FOR NO KEY UPDATE;
  t := ledger_now(); today := date_trunc('day', t, 'UTC');
  IF EXISTS (SELECT 1 FROM hold WHERE id = h) THEN outcome := 'held'; RETURN NEXT; RETURN; END IF;
  IF y.id IS NULL OR y.revoked_at IS NOT NULL THEN outcome := 'revoked'; RETURN NEXT; RETURN; END IF;
  IF y.expires_at <= t THEN outcome := 'expired_key'; RETURN NEXT; RETURN; END IF;
  y.spent_pico := spent_in_period(y, t);
  IF y.limit_period = 'daily' AND today > y.period_start THEN y.period_start := today; END IF;
  IF y.limit_pico IS NOT NULL AND required_pico > y.limit_pico - y.spent_pico - y.held_pico THEN
    outcome := 'key_limit'; limit_pico := y.limit_pico;
    resets_at := CASE WHEN y.limit_period = 'daily' THEN y.period_start + interval '24 h' END;
    RETURN NEXT; RETURN;
  END IF;
  available_pico := a.balance_pico - a.held_pico;
  IF available_pico <= 0 OR required_pico - available_pico > hold_slack() THEN outcome := 'insufficient'; RETURN NEXT; RETURN; END IF;
  UPDATE account SET held_pico = account.held_pico + required_pico WHERE id = acc;
  UPDATE api_key SET held_pico = api_key.held_pico + required_pico, spent_pico = y.spent_pico, period_start = y.period_start
    WHERE id = k;
  INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, created_at, expires_at)
    VALUES (h, acc, k, model, price, most, t, t + interval '150 s');
  outcome := 'held'; RETURN NEXT;
END $$;
