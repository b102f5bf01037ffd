-- Places holds in the order of the arrays, as if each had come alone, and returns one row for each: 'held', 'revoked',
-- 'expired_key', 'key_limit' or 'insufficient'. A single request is a batch of one.
-- A hold that already exists is 'held' again and reserves nothing more.
CREATE OR REPLACE FUNCTION place_holds(ids uuid[], accounts uuid[], keys uuid[], models text[], prices bigint[], mosts bigint[])
RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  t timestamptz;
  item record;
  -- What the holds placed so far take from each account and key, by its id; and the ids of these holds.
  taken jsonb := '{}';
  account_taken bigint;
  key_taken bigint;
  -- Their positions in the arrays.
  placed integer[] := '{}';
BEGIN
  -- A crash that loses a hold only makes its own capture fail, so the commit does not wait for the disk.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- Accounts before keys, each in the order of their ids: two batches never wait for each other in a circle.
  PERFORM 1 FROM account WHERE id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM api_key WHERE id = ANY(keys) AND account_id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE;
  t := ledger_now();
  FOR item IN
    SELECT u.*, price * most AS need, a, k, (SELECT 1 FROM hold WHERE hold.id = u.id) IS NOT NULL AS exists
    FROM unnest(ids, accounts, keys, prices, mosts) WITH ORDINALITY AS u(id, acc, key, price, most, n)
      LEFT JOIN account a ON a.id = u.acc LEFT JOIN api_key k ON k.id = u.key AND k.account_id = u.acc
    ORDER BY n
  LOOP
    required_pico := item.need;
    available_pico := NULL;
    limit_pico := NULL;
    resets_at := NULL;
    account_taken := coalesce((taken -> item.acc::text)::bigint, 0);
    key_taken := coalesce((taken -> item.key::text)::bigint, 0);
    IF item.exists OR taken ? item.id::text THEN
      outcome := 'held';
    ELSE
      outcome := admission_verdict(item.a, item.k, item.need, account_taken, key_taken, t);
      IF outcome = 'held' THEN
        placed := placed || item.n::integer;
        taken := taken || jsonb_build_object(item.acc, account_taken + item.need, item.key, key_taken + item.need, item.id, 0);
      ELSIF outcome = 'insufficient' THEN
        available_pico := (item.a).balance_pico - (item.a).held_pico - account_taken;
      ELSIF outcome = 'key_limit' THEN
        limit_pico := (item.k).limit_pico;
        resets_at := CASE WHEN (item.k).limit_period = 'daily' THEN period_at(item.k, t) + interval '24 h' END;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
  IF placed = '{}' THEN RETURN; END IF;
  UPDATE account SET held_pico = account.held_pico + total.need
    FROM (SELECT accounts[n] AS id, sum(prices[n] * mosts[n])::bigint AS need FROM unnest(placed) AS n GROUP BY 1) AS total
    WHERE account.id = total.id;
  UPDATE api_key SET held_pico = api_key.held_pico + total.need, spent_pico = spent_in_period(api_key, t), period_start = period_at(api_key, t)
    FROM (SELECT keys[n] AS id, sum(prices[n] * mosts[n])::bigint AS need FROM unnest(placed) AS n GROUP BY 1) AS total
    WHERE api_key.id = total.id;
  INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, created_at, expires_at)
    SELECT ids[n], accounts[n], keys[n], models[n], prices[n], mosts[n], t, t + interval '150 s' FROM unnest(placed) AS n;
END $$;
