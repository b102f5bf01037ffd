-- Places holds in the order of the arrays, as if each had come alone, and returns one row for each: 'held', 'revoked',
-- 'expired_key', 'key_limit' or 'insufficient'. A single request is a batch of one.
-- A hold that already exists is 'held' again and reserves nothing more.
--
-- Running sums say what the earlier holds of the batch take. They are right up to the first refusal. So each round judges all
-- remaining holds, places those before the first refusal and refuses that one; the next round starts behind it.
CREATE OR REPLACE FUNCTION place_holds(ids uuid[], accounts uuid[], keys uuid[], models text[], prices bigint[], mosts bigint[])
RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE t timestamptz; judged bigint := 0; in_round bigint;
BEGIN
  -- A crash that loses a hold only makes its own capture fail, so the commit does not wait for the disk.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- Accounts before keys, each in the order of their ids: two batches never wait for each other in a circle.
  PERFORM 1 FROM account WHERE id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM api_key WHERE id = ANY(keys) AND account_id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE;
  t := ledger_now();
  WHILE judged < cardinality(ids) LOOP
    RETURN QUERY
    WITH asked AS MATERIALIZED (
      SELECT n, id, acc, key, model, price, most, price * most AS need,
        (SELECT 1 FROM hold WHERE hold.id = u.id) IS NOT NULL OR row_number() OVER (PARTITION BY id ORDER BY n) > 1 AS is_repeat
      FROM unnest(ids, accounts, keys, models, prices, mosts) WITH ORDINALITY AS u(id, acc, key, model, price, most, n)
      WHERE n > judged
    ), summed AS MATERIALIZED (
      SELECT *, (sum(fresh) OVER (PARTITION BY acc ORDER BY n) - fresh)::bigint AS account_taken,
        (sum(fresh) OVER (PARTITION BY key ORDER BY n) - fresh)::bigint AS key_taken
      FROM (SELECT *, CASE WHEN is_repeat THEN 0 ELSE need END AS fresh FROM asked) AS counted
    ), verdict AS MATERIALIZED (
      SELECT summed.*, CASE WHEN is_repeat THEN 'held' ELSE admission_verdict(a, k, need, account_taken, key_taken, t) END AS outcome,
        a.balance_pico - a.held_pico - account_taken AS available, k.limit_pico,
        CASE WHEN k.limit_period = 'daily' THEN period_at(k, t) + interval '24 h' END AS resets_at
      FROM summed LEFT JOIN account a ON a.id = acc LEFT JOIN api_key k ON k.id = key AND k.account_id = acc
    ), final AS MATERIALIZED (
      SELECT * FROM verdict WHERE n <= coalesce((SELECT min(n) FROM verdict WHERE outcome <> 'held'), cardinality(ids))
    ), placed AS MATERIALIZED (
      SELECT * FROM final WHERE outcome = 'held' AND NOT is_repeat
    ), on_accounts AS (
      UPDATE account SET held_pico = account.held_pico + taken.need
      FROM (SELECT acc, sum(need)::bigint AS need FROM placed GROUP BY acc) AS taken WHERE account.id = taken.acc
    ), on_keys AS (
      UPDATE api_key SET held_pico = api_key.held_pico + taken.need, spent_pico = spent_in_period(api_key, t),
        period_start = period_at(api_key, t)
      FROM (SELECT key, sum(need)::bigint AS need FROM placed GROUP BY key) AS taken WHERE api_key.id = taken.key
    ), inserted AS (
      INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, created_at, expires_at)
      SELECT id, acc, key, model, price, most, t, t + interval '150 s' FROM placed
    )
    SELECT outcome, need, CASE WHEN outcome = 'insufficient' THEN available END,
      CASE WHEN outcome = 'key_limit' THEN limit_pico END, CASE WHEN outcome = 'key_limit' THEN resets_at END
    FROM final ORDER BY n;
    GET DIAGNOSTICS in_round = ROW_COUNT;
    judged := judged + in_round;
  END LOOP;
END $$;
