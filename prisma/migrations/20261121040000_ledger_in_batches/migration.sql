-- Holds and captures with fewer statements, alone and many at once (docs/decisions/0012). Every function that moves money
-- locks its account first, many of them in the order of their ids: keys and holds move only under that lock.

-- Foreign keys of the two tables that every paid request writes. The functions read account, key and hold under the
-- account's lock and take the hold's model from the catalogue; what they name can still not be deleted.
ALTER TABLE hold DROP CONSTRAINT hold_account_id_fkey, DROP CONSTRAINT hold_key_id_fkey, DROP CONSTRAINT hold_model_id_fkey;
ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_account_id_fkey, DROP CONSTRAINT ledger_entry_hold_id_fkey,
  DROP CONSTRAINT ledger_entry_key_id_fkey, DROP CONSTRAINT ledger_entry_model_id_fkey;

CREATE FUNCTION is_named_by_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE named boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM ledger_entry WHERE %1$I = $1.id)', TG_ARGV[0]) INTO named USING OLD;
  IF NOT named AND TG_TABLE_NAME <> 'hold' THEN
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM hold WHERE %1$I = $1.id)', TG_ARGV[0]) INTO named USING OLD;
  END IF;
  IF named THEN
    RAISE EXCEPTION 'this row of % is named by holds or ledger entries', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER named_by_money BEFORE DELETE ON account FOR EACH ROW EXECUTE FUNCTION is_named_by_money('account_id');
CREATE TRIGGER named_by_money BEFORE DELETE ON api_key FOR EACH ROW EXECUTE FUNCTION is_named_by_money('key_id');
CREATE TRIGGER named_by_money BEFORE DELETE ON model FOR EACH ROW EXECUTE FUNCTION is_named_by_money('model_id');
CREATE TRIGGER named_by_money BEFORE DELETE ON hold FOR EACH ROW EXECUTE FUNCTION is_named_by_money('hold_id');

-- PostgreSQL reads every CHECK of a table anew for each statement that writes it. Those on columns that no request changes
-- are asked when these columns are written; those on money stay CHECKs.
ALTER TABLE account DROP CONSTRAINT account_check;
ALTER TABLE api_key DROP CONSTRAINT api_key_kind_check, DROP CONSTRAINT api_key_name_check, DROP CONSTRAINT api_key_limit_pico_check,
  DROP CONSTRAINT api_key_limit_period_check, DROP CONSTRAINT api_key_check, DROP CONSTRAINT api_key_check1, DROP CONSTRAINT api_key_check2;

CREATE FUNCTION check_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.requests_per_second > 0 AND NEW.requests_per_second_per_key > 0 THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the rates of an account are positive' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER well_formed BEFORE INSERT OR UPDATE OF requests_per_second, requests_per_second_per_key ON account
  FOR EACH ROW EXECUTE FUNCTION check_account();

CREATE FUNCTION check_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind IN ('secret', 'playground') AND char_length(NEW.name) BETWEEN 1 AND 64
    AND (NEW.kind = 'secret') = (NEW.secret_sha256 IS NOT NULL) AND (NEW.secret_sha256 IS NULL) = (NEW.masked IS NULL)
    AND (NEW.limit_pico IS NULL) = (NEW.limit_period IS NULL) AND coalesce(NEW.limit_pico > 0, true)
    AND coalesce(NEW.limit_period IN ('daily', 'lifetime'), true)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a key has a kind, a name, and a secret and a limit in full or none' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER well_formed BEFORE INSERT OR UPDATE OF kind, name, masked, secret_sha256, limit_pico, limit_period ON api_key
  FOR EACH ROW EXECUTE FUNCTION check_api_key();

-- The balance may fall this far short of what a request could cost.
CREATE FUNCTION hold_slack() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 10000000000::bigint $$;

-- Whether a key takes a hold of `need` in its limit, and may be used at all.
CREATE FUNCTION key_takes(k api_key, need bigint, at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > at)
    AND (k.limit_pico IS NULL OR need <= k.limit_pico - spent_in_period(k, at) - k.held_pico)
$$;

-- The start of the period that a key's `spent_pico` is of, from now on.
CREATE FUNCTION period_at(k api_key, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN k.limit_period = 'daily' THEN greatest(k.period_start, date_trunc('day', at, 'UTC')) ELSE k.period_start END
$$;

-- One hold with every verdict, as `place_hold` was: 'held' | 'revoked' | 'expired_key' | 'key_limit' | 'insufficient'.
CREATE FUNCTION judge_hold(h uuid, acc uuid, k uuid, model text, price bigint, most bigint)
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

-- One hold. What fits is placed by three statements; for anything else what they did is taken back and `judge_hold` says why.
DROP FUNCTION place_hold;
CREATE FUNCTION place_hold(h uuid, acc uuid, k uuid, model text, price bigint, most bigint)
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

-- Holds in the order of their arrival; one row for each, as `place_hold` alone would have answered one after another.
-- Where all of them fit they are placed at once; a running sum says what those before it have taken.
CREATE FUNCTION place_holds(ids uuid[], accounts uuid[], keys uuid[], models text[], prices bigint[], mosts bigint[])
RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE t timestamptz; placed integer;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM 1 FROM account WHERE id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE;
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

-- Captures in order; one row for each, as `capture` alone would have answered one after another.
CREATE FUNCTION capture_holds(ids uuid[], used bigint[], latencies integer[], nouls integer[], choices integer[], scores integer[])
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
      FROM ended e JOIN on_accounts a ON a.id = e.account_id JOIN on_keys k ON k.id = e.key_id ORDER BY e.n;
  GET DIAGNOSTICS done = ROW_COUNT;
  IF done = cardinality(ids) THEN RETURN QUERY SELECT 'captured' FROM generate_series(1, done); RETURN; END IF;
  FOR i IN 1 .. cardinality(ids) LOOP
    RETURN QUERY SELECT capture(ids[i], used[i], latencies[i], nouls[i], choices[i], scores[i]);
  END LOOP;
END $$;
