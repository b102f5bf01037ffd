-- A key may be revoked while many holds wait for its row: they look at it when they have its lock, as `place_hold` does.
CREATE OR REPLACE FUNCTION place_holds(ids uuid[], accounts uuid[], keys uuid[], models text[], prices bigint[], mosts bigint[])
RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE t timestamptz; placed integer;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM 1 FROM account WHERE id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM api_key WHERE id = ANY(keys) AND account_id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE;
  t := ledger_now();
  WITH item AS MATERIALIZED (
    SELECT id, acc, key, model, price, most, need,
        (sum(need) OVER (PARTITION BY acc ORDER BY n))::bigint AS of_account, (sum(need) OVER (PARTITION BY key ORDER BY n))::bigint AS of_key
      FROM (SELECT *, price * most AS need
        FROM unnest(ids, accounts, keys, models, prices, mosts) WITH ORDINALITY AS u(id, acc, key, model, price, most, n)) AS asked
  ), verdict AS MATERIALIZED (
    SELECT count(*) = cardinality(ids) AS all_fit FROM item JOIN account a ON a.id = acc JOIN api_key k ON k.id = key AND k.account_id = acc
      WHERE a.balance_pico - a.held_pico - (of_account - need) > 0 AND of_account - (a.balance_pico - a.held_pico) <= hold_slack()
        AND key_takes(k, of_key, t) AND NOT EXISTS (SELECT 1 FROM hold WHERE hold.id = item.id)
  ), on_accounts AS (
    UPDATE account SET held_pico = account.held_pico + taken.need
      FROM (SELECT acc, max(of_account) AS need FROM item, verdict WHERE all_fit GROUP BY acc) AS taken WHERE account.id = taken.acc
  ), on_keys AS (
    UPDATE api_key SET held_pico = api_key.held_pico + taken.need, spent_pico = spent_in_period(api_key, t), period_start = period_at(api_key, t)
      FROM (SELECT key, max(of_key) AS need FROM item, verdict WHERE all_fit GROUP BY key) AS taken WHERE api_key.id = taken.key
  )
  INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, created_at, expires_at)
    SELECT id, acc, key, model, price, most, t, t + interval '150 s' FROM item, verdict WHERE all_fit;
  GET DIAGNOSTICS placed = ROW_COUNT;
  IF placed = cardinality(ids) THEN
    RETURN QUERY SELECT 'held', price * most, NULL::bigint, NULL::bigint, NULL::timestamptz FROM unnest(prices, mosts) AS u(price, most);
    RETURN;
  END IF;
  FOR i IN 1 .. cardinality(ids) LOOP
    RETURN QUERY SELECT * FROM place_hold(ids[i], accounts[i], keys[i], models[i], prices[i], mosts[i]);
  END LOOP;
END $$;
