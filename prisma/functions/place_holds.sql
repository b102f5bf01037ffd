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
  -- The rows of each item, by its position in the arrays; null for an unknown account or key.
  accounts_of account[];
  keys_of api_key[];
  a account;
  k api_key;
  -- The ids of the holds that exist, and the positions of those placed here.
  existing uuid[];
  placed integer[] := '{}';
  -- Accounts and keys of the holds placed so far, and what these take from each.
  account_ids uuid[] := '{}';
  account_needs bigint[] := '{}';
  key_ids uuid[] := '{}';
  key_needs bigint[] := '{}';
  x integer;
  y integer;
BEGIN
  -- A crash that loses a hold only makes its own capture fail, so the commit does not wait for the disk.
  outcome := set_config('synchronous_commit', 'off', true);
  -- Locks and reads in one statement: a row that was locked before is read as it is under this lock. Accounts before keys,
  -- in the order of their ids: two batches never wait for each other in a circle.
  FOR item IN
    SELECT u.n, a, k FROM unnest(accounts, keys) WITH ORDINALITY AS u(acc, key, n)
      JOIN account a ON a.id = u.acc JOIN api_key k ON k.id = u.key AND k.account_id = u.acc
    ORDER BY u.acc, u.key FOR NO KEY UPDATE OF a, k
  LOOP
    accounts_of[item.n] := item.a;
    keys_of[item.n] := item.k;
  END LOOP;
  t := ledger_now();
  existing := ARRAY(SELECT id FROM hold WHERE id = ANY(ids));
  FOR i IN 1 .. cardinality(ids) LOOP
    a := accounts_of[i];
    k := keys_of[i];
    x := coalesce(array_position(account_ids, accounts[i]), cardinality(account_ids) + 1);
    y := coalesce(array_position(key_ids, keys[i]), cardinality(key_ids) + 1);
    required_pico := prices[i] * mosts[i];
    available_pico := NULL;
    limit_pico := NULL;
    resets_at := NULL;
    IF ids[i] = ANY(existing) THEN
      outcome := 'held';
    ELSE
      outcome := admission_verdict(a, k, required_pico, coalesce(account_needs[x], 0), coalesce(key_needs[y], 0), t);
      IF outcome = 'held' THEN
        existing := existing || ids[i];
        placed := placed || i;
        account_ids[x] := accounts[i];
        account_needs[x] := coalesce(account_needs[x], 0) + required_pico;
        key_ids[y] := keys[i];
        key_needs[y] := coalesce(key_needs[y], 0) + required_pico;
      ELSIF outcome = 'insufficient' THEN
        available_pico := a.balance_pico - a.held_pico - coalesce(account_needs[x], 0);
      ELSIF outcome = 'key_limit' THEN
        limit_pico := k.limit_pico;
        resets_at := CASE WHEN k.limit_period = 'daily' THEN period_at(k, t) + interval '24 h' END;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
  FOR x IN 1 .. cardinality(account_ids) LOOP
    UPDATE account SET held_pico = account.held_pico + account_needs[x] WHERE id = account_ids[x];
  END LOOP;
  FOR y IN 1 .. cardinality(key_ids) LOOP
    UPDATE api_key SET held_pico = api_key.held_pico + key_needs[y], spent_pico = spent_in_period(api_key, t), period_start = period_at(api_key, t)
      WHERE id = key_ids[y];
  END LOOP;
  IF placed <> '{}' THEN
    INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, created_at, expires_at)
      SELECT ids[n], accounts[n], keys[n], models[n], prices[n], mosts[n], t, t + interval '150 s' FROM unnest(placed) AS n;
  END IF;
END $$;
