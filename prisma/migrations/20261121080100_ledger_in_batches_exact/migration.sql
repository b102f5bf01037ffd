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

-- A charge without its hold cannot be written. Of the foreign keys that went this one is back: the row it locks is the
-- transaction's own, and it costs 4 % of the database's time for a request (docs/decisions/0012).
ALTER TABLE ledger_entry ADD CONSTRAINT ledger_entry_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES hold;
DROP TRIGGER named_by_money ON hold;

-- What money names keeps its id, and does not go in a TRUNCATE either.
CREATE OR REPLACE FUNCTION is_named_by_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE named boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM ledger_entry WHERE %1$I = $1.id) OR EXISTS (SELECT 1 FROM hold WHERE %1$I = $1.id)',
    TG_ARGV[0]) INTO named USING OLD;
  IF named THEN
    RAISE EXCEPTION 'this row of % is named by holds or ledger entries', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF TG_OP = 'UPDATE' THEN RETURN NEW; END IF;
  RETURN OLD;
END $$;
CREATE FUNCTION money_is_not_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is named by the ledger, which is append-only', TG_TABLE_NAME; END $$;
DROP TRIGGER named_by_money ON account;
CREATE TRIGGER named_by_money BEFORE DELETE OR UPDATE OF id ON account FOR EACH ROW EXECUTE FUNCTION is_named_by_money('account_id');
DROP TRIGGER named_by_money ON api_key;
CREATE TRIGGER named_by_money BEFORE DELETE OR UPDATE OF id ON api_key FOR EACH ROW EXECUTE FUNCTION is_named_by_money('key_id');
DROP TRIGGER named_by_money ON model;
CREATE TRIGGER named_by_money BEFORE DELETE OR UPDATE OF id ON model FOR EACH ROW EXECUTE FUNCTION is_named_by_money('model_id');
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON account EXECUTE FUNCTION money_is_not_truncated();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON api_key EXECUTE FUNCTION money_is_not_truncated();
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON model EXECUTE FUNCTION money_is_not_truncated();
