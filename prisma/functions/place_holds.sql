-- Places holds in the order of the arrays, as if each had its own call, and returns one row for each: 'held', 'revoked',
-- 'expired_key', 'key_limit', 'insufficient' or, for a request in `are_bounds`, 'near'. The tokens of such a request are only an upper bound.
-- `request_tags` are the tags of each request, separated by commas; null for none.
-- For an id that has a hold, even one that has ended, returns 'held' and reserves nothing.
-- A plan is made once per connection, perhaps while a table is small. The settings keep it on the primary keys. Ids are joined one
-- by one, because PostgreSQL does not choose partitions by an array.
CREATE OR REPLACE FUNCTION place_holds(
  ids uuid[], accounts uuid[], keys uuid[], models text[], prices bigint[], max_tokens bigint[], are_bounds boolean[] DEFAULT '{}',
  request_tags text[] DEFAULT '{}'
) RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz;
  day timestamptz;
  budgets_left bigint;
  -- The locked accounts and keys, and their ids.
  locked_accounts account[];
  locked_account_ids uuid[];
  locked_keys api_key[];
  locked_key_ids uuid[];
  a account;
  k api_key;
  -- The ids of the holds that exist, and the positions of those placed here.
  existing uuid[];
  placed integer[];
  -- Accounts and keys of the holds placed so far, and how much these holds reserve of each.
  account_ids uuid[];
  account_reserved bigint[];
  key_ids uuid[];
  key_reserved bigint[];
  account_taken bigint;
  key_taken bigint;
  -- The budgets of these keys, with what the holds placed so far reserve; those that count the request, and the one with the least left.
  budgets budget[];
  counting integer[];
  b budget;
  tightest budget;
  x integer;
BEGIN
  -- A crash that loses a hold only makes its own capture fail, so the commit does not wait for the disk.
  outcome := set_config('synchronous_commit', 'off', true);

  -- A single request first writes and then decides, which saves a statement. If it is refused, the account's amount is
  -- restored, and the code below decides again in order to report why.
  IF cardinality(ids) = 1 THEN
    required_pico := prices[1] * max_tokens[1];
    UPDATE account SET held_pico = account.held_pico + required_pico
      WHERE id = accounts[1] AND balance_admits(account, required_pico, 0)
      RETURNING account.* INTO a;
    IF FOUND THEN
      t := ledger_now();
      a.held_pico := a.held_pico - required_pico;
      day := day_at(a, t);
      budgets_left := budget_left(keys[1], string_to_array(request_tags[1], ','), day);
      UPDATE api_key SET held_pico = api_key.held_pico + required_pico, spent_pico = spent_in_period(api_key, day), period_start = period_at(api_key, day)
        WHERE id = keys[1] AND account_id = accounts[1]
          AND admission_verdict(a, api_key, required_pico, 0, 0, t, coalesce(are_bounds[1], false), budgets_left) = 'held'
          AND NOT EXISTS (SELECT FROM hold WHERE id = ids[1]);
      IF FOUND THEN
        -- Once a day.
        IF day > a.ledger_day THEN UPDATE account SET ledger_day = day WHERE id = accounts[1]; END IF;
        IF budgets_left IS NOT NULL THEN PERFORM count_in_budgets(keys, request_tags, ARRAY[required_pico], '{0}'); END IF;
        INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, tags, created_at, expires_at)
          VALUES (ids[1], accounts[1], keys[1], models[1], prices[1], max_tokens[1],
            string_to_array(request_tags[1], ','), t, t + hold_lifetime());
        outcome := 'held';
        RETURN NEXT;
        RETURN;
      END IF;
      UPDATE account SET held_pico = a.held_pico WHERE id = accounts[1];
    END IF;
  END IF;

  -- Accounts before keys, each row once and in the order of the ids, so that two batches never deadlock. The rows are read as
  -- they are under their locks.
  SELECT array_agg(row.locked), array_agg((row.locked).id) INTO locked_accounts, locked_account_ids FROM (
    SELECT account AS locked FROM account WHERE id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE
  ) AS row;
  SELECT array_agg(row.locked), array_agg((row.locked).id) INTO locked_keys, locked_key_ids FROM (
    SELECT api_key AS locked FROM api_key WHERE id = ANY(keys) AND account_id = ANY(accounts) ORDER BY id FOR NO KEY UPDATE
  ) AS row;
  t := ledger_now();
  budgets := ARRAY(
    SELECT budget FROM budget WHERE budget.id IN (
      SELECT of_request.id FROM unnest(keys, request_tags) AS u(key_id, tags) JOIN unnest(locked_keys) AS of_batch ON of_batch.id = u.key_id
        JOIN budget of_request ON of_request.account_id = of_batch.account_id
          AND of_request.subject = ANY(budget_subjects(of_batch, string_to_array(u.tags, ',')))));
  existing := ARRAY(SELECT hold.id FROM unnest(ids) AS wanted(id) JOIN hold ON hold.id = wanted.id);
  FOR i IN 1 .. cardinality(ids) LOOP
    -- Null for an unknown account or key, and for another account's key.
    a := locked_accounts[array_position(locked_account_ids, accounts[i])];
    k := locked_keys[array_position(locked_key_ids, keys[i])];
    IF k.account_id <> accounts[i] THEN k := NULL; END IF;
    account_taken := coalesce(account_reserved[array_position(account_ids, accounts[i])], 0);
    key_taken := coalesce(key_reserved[array_position(key_ids, keys[i])], 0);
    required_pico := prices[i] * max_tokens[i];
    day := day_at(a, t);
    available_pico := NULL;
    limit_pico := NULL;
    resets_at := NULL;
    IF ids[i] = ANY(existing) THEN
      outcome := 'held';
    ELSE
      budgets_left := NULL;
      IF cardinality(budgets) > 0 THEN
        counting := ARRAY(SELECT n FROM generate_subscripts(budgets, 1) AS n
          WHERE (budgets[n]).account_id = k.account_id AND (budgets[n]).subject = ANY(budget_subjects(k, string_to_array(request_tags[i], ',')))
          ORDER BY (budgets[n]).subject, (budgets[n]).period);
        FOREACH x IN ARRAY counting LOOP
          b := budgets[x];
          IF budgets_left IS NULL OR b.limit_pico - spent_in_budget(b, day) - b.held_pico < budgets_left THEN
            budgets_left := b.limit_pico - spent_in_budget(b, day) - b.held_pico;
            tightest := b;
          END IF;
        END LOOP;
      END IF;
      outcome := admission_verdict(a, k, required_pico, account_taken, key_taken, t, coalesce(are_bounds[i], false), budgets_left);
      IF outcome = 'held' THEN
        IF budgets_left IS NOT NULL THEN
          FOREACH x IN ARRAY counting LOOP
            b := budgets[x];
            b.held_pico := b.held_pico + required_pico;
            budgets[x] := b;
          END LOOP;
        END IF;
        existing := existing || ids[i];
        placed := placed || i;
        IF accounts[i] = ANY(account_ids) THEN
          account_reserved[array_position(account_ids, accounts[i])] := account_taken + required_pico;
        ELSE
          account_ids := account_ids || accounts[i];
          account_reserved := account_reserved || required_pico;
        END IF;
        IF keys[i] = ANY(key_ids) THEN
          key_reserved[array_position(key_ids, keys[i])] := key_taken + required_pico;
        ELSE
          key_ids := key_ids || keys[i];
          key_reserved := key_reserved || required_pico;
        END IF;
      ELSIF outcome = 'insufficient' THEN
        available_pico := a.balance_pico - a.held_pico - account_taken;
      ELSIF outcome = 'key_limit' THEN
        IF budgets_left < k.limit_pico - spent_in_period(k, day) - k.held_pico - key_taken OR k.limit_pico IS NULL THEN
          limit_pico := tightest.limit_pico;
          resets_at := budget_end(tightest, day);
        ELSE
          limit_pico := k.limit_pico;
          resets_at := CASE WHEN k.limit_period = 'daily' THEN period_at(k, day) + interval '24 h' END;
        END IF;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
  IF placed IS NULL THEN RETURN; END IF;
  UPDATE account SET held_pico = account.held_pico + account_reserved[array_position(account_ids, id)], ledger_day = day_at(account, t)
    WHERE id = ANY(account_ids);
  UPDATE api_key SET held_pico = api_key.held_pico + key_reserved[array_position(key_ids, api_key.id)],
      spent_pico = spent_in_period(api_key, account.ledger_day), period_start = period_at(api_key, account.ledger_day)
    FROM account WHERE api_key.id = ANY(key_ids) AND account.id = api_key.account_id;
  IF cardinality(budgets) > 0 THEN
    PERFORM count_in_budgets(array_agg(keys[n]), array_agg(request_tags[n]), array_agg(prices[n] * max_tokens[n]), array_agg(0::bigint))
      FROM unnest(placed) AS n;
  END IF;
  INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, tags, created_at, expires_at)
    SELECT ids[n], accounts[n], keys[n], models[n], prices[n], max_tokens[n], string_to_array(request_tags[n], ','), t, t + hold_lifetime()
    FROM (SELECT unnest(placed) AS n) AS p;
END $$;
