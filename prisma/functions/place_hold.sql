-- 'held' | 'revoked' | 'expired_key' | 'key_limit' | 'insufficient'; a replay of the same id answers 'held' again.
CREATE OR REPLACE FUNCTION place_hold(h uuid, acc uuid, k uuid, model text, price bigint, most bigint)
RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE t timestamptz;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true); -- a lost hold only refuses its own capture
  required_pico := price * most;
  UPDATE account SET held_pico = account.held_pico + required_pico
    WHERE id = acc AND balance_pico - account.held_pico > 0 AND required_pico - (balance_pico - account.held_pico) <= hold_slack();
  IF FOUND THEN
    t := ledger_now();
    UPDATE api_key SET held_pico = api_key.held_pico + required_pico, spent_pico = spent_in_period(api_key, t),
        period_start = period_at(api_key, t)
      WHERE id = k AND account_id = acc AND key_takes(api_key, required_pico, t) AND NOT EXISTS (SELECT 1 FROM hold WHERE id = h);
    IF FOUND THEN
      INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, created_at, expires_at)
        VALUES (h, acc, k, model, price, most, t, t + interval '150 s');
      outcome := 'held'; RETURN NEXT; RETURN;
    END IF;
    UPDATE account SET held_pico = account.held_pico - required_pico WHERE id = acc;
  END IF;
  RETURN QUERY SELECT * FROM judge_hold(h, acc, k, model, price, most);
END $$;
