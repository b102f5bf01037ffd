-- Charges requests that drew their maximum cost from a grant, `ages_ms` ago. Each one's hold is written here with the grant's tags, already captured and as old
-- as the draw, and the grant's hold shrinks by what it cost. Returns one row for each item, in their order:
--   'captured'   charged, now or by an earlier call
--   'exceeds'    more tokens were used than were drawn
--   'ended'      the grant has ended, has less left than the charge, or is unknown
-- For a request with a hold of its own, returns what charge_holds returns. The rows under the account's lock decide, never what the
-- process believes. The settings keep the plans on the primary keys, as in charge_holds.
-- A statement that joins hold is slow, because it opens all of its partitions. So there are few such statements.
CREATE OR REPLACE FUNCTION charge_drawn(
  grants uuid[], ids uuid[], models text[], prices bigint[], max_tokens bigint[], used bigint[], latencies_ms integer[], question_counts jsonb[],
  ages_ms integer[] DEFAULT '{}'
) RETURNS TABLE (state text) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz;
  day timestamptz;
  account_ids uuid[];
  balances bigint[];
  -- The grants of the batch and what each is charged. known_grants has those that had not ended a moment ago.
  known_grants uuid[];
  grant_ids uuid[];
  totals bigint[];
  -- The holds of grants and items as they are under the locks.
  hold_ids uuid[];
  holds hold[];
  has_held boolean;
  g hold;
  charge bigint;
  balance_after bigint;
  -- The positions of the items charged here, their ids, accounts, keys and tags, charges, and the balances after them.
  charged integer[];
  charged_ids uuid[];
  charged_accounts uuid[];
  charged_keys uuid[];
  charged_tags text[];
  charges bigint[];
  balances_after bigint[];
  x integer;
  y integer;
BEGIN
  -- A single request needs no arrays. If it cannot be charged, or has a hold already, the code below reports why.
  IF cardinality(ids) = 1 THEN
    SELECT h.* INTO g FROM hold h JOIN account a ON a.id = h.account_id WHERE h.id = grants[1]
      FOR NO KEY UPDATE OF a FOR NO KEY UPDATE OF h;
    charge := token_cost(used[1], prices[1], price_rule());
    IF g.state = 'held' AND charge <= g.amount_pico AND used[1] <= max_tokens[1] THEN
      t := ledger_now();
      INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, state, tokens, tags, created_at, expires_at, resolved_at)
        VALUES (ids[1], g.account_id, g.key_id, models[1], prices[1], max_tokens[1], 'captured', used[1],
          g.tags, t - coalesce(ages_ms[1], 0) * interval '1 ms', t + hold_lifetime(), t)
        ON CONFLICT (id) DO NOTHING;
      IF FOUND THEN
        UPDATE account SET held_pico = held_pico - charge, balance_pico = balance_pico - charge, ledger_day = day_at(account, t)
          WHERE id = g.account_id RETURNING balance_pico, ledger_day INTO balance_after, day;
        UPDATE api_key SET held_pico = held_pico - charge, spent_pico = spent_in_period(api_key, day) + charge,
            period_start = period_at(api_key, day)
          WHERE id = g.key_id;
        PERFORM count_in_budgets(ARRAY[g.key_id], ARRAY[array_to_string(g.tags, ',')], ARRAY[-charge], ARRAY[charge]);
        UPDATE hold SET max_tokens = max_tokens - charge,
            expires_at = CASE WHEN expires_at < t + grant_lease() / 2 THEN t + grant_lease() ELSE expires_at END
          WHERE id = g.id;
        INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
          latency_ms, question_counts, noul_count, choice_count, score_count, price_rule, tags, created_at)
        VALUES (g.account_id, 'charge', -charge, balance_after, ids[1], g.key_id, models[1], used[1], prices[1],
          latencies_ms[1], stored_question_counts(question_counts[1]),
          question_count(question_counts[1], 'noul'), question_count(question_counts[1], 'choice'),
          question_count(question_counts[1], 'score'), price_rule(), g.tags, greatest(t, day));
        state := 'captured';
        RETURN NEXT;
        RETURN;
      END IF;
    END IF;
  END IF;

  -- Each account once and in the order of the ids, so that two batches never deadlock.
  SELECT array_agg(c.hold_id), array_agg(c.account_id) INTO known_grants, account_ids FROM credit_grant c WHERE c.hold_id = ANY(grants);
  IF known_grants IS NULL OR NOT grants <@ known_grants THEN
    account_ids := ARRAY(SELECT h.account_id FROM unnest(grants) AS wanted(id) JOIN hold h ON h.id = wanted.id);
  END IF;
  SELECT array_agg(locked.id), array_agg(locked.balance_pico) INTO account_ids, balances FROM (
    SELECT id, balance_pico FROM account WHERE id = ANY(account_ids) ORDER BY id FOR NO KEY UPDATE
  ) AS locked;
  t := ledger_now();
  SELECT array_agg(h.id), array_agg(h), bool_or(h.state = 'held' AND h.id = ANY(ids)),
      array_agg(h.id) FILTER (WHERE h.id = ANY(grants)), array_agg(0::bigint) FILTER (WHERE h.id = ANY(grants))
    INTO hold_ids, holds, has_held, grant_ids, totals
    FROM (SELECT DISTINCT id FROM unnest(grants || ids) AS u(id)) AS wanted JOIN hold h ON h.id = wanted.id;
  -- A grant that ended left these requests holds of their own. They are charged first, so that each entry continues the balance before it.
  IF has_held THEN
    FOR i IN 1 .. cardinality(ids) LOOP
      y := array_position(hold_ids, ids[i]);
      CONTINUE WHEN y IS NULL OR holds[y].state <> 'held';
      SELECT c.state INTO state FROM charge_holds(ids[i:i], used[i:i], latencies_ms[i:i], question_counts[i:i]) AS c;
      holds[y].state := state;
    END LOOP;
    SELECT array_agg(a.balance_pico ORDER BY a.id) INTO balances FROM account a WHERE a.id = ANY(account_ids);
  END IF;
  FOR i IN 1 .. cardinality(ids) LOOP
    g := holds[array_position(hold_ids, grants[i])];
    x := array_position(grant_ids, grants[i]);
    y := array_position(hold_ids, ids[i]);
    charge := token_cost(used[i], prices[i], price_rule());
    IF ids[i] = ANY(charged_ids) THEN
      state := 'captured';
    ELSIF y IS NOT NULL THEN
      state := holds[y].state;
    ELSIF x IS NULL OR g.state <> 'held' OR totals[x] + charge > g.amount_pico THEN
      state := 'ended';
    ELSIF used[i] > max_tokens[i] THEN
      state := 'exceeds';
    ELSE
      totals[x] := totals[x] + charge;
      y := array_position(account_ids, g.account_id);
      balances[y] := balances[y] - charge;
      charged := charged || i;
      charged_ids := charged_ids || ids[i];
      charged_accounts := charged_accounts || g.account_id;
      charged_keys := charged_keys || g.key_id;
      charged_tags := charged_tags || nullif(array_to_string(g.tags, ','), '');
      charges := charges || charge;
      balances_after := balances_after || balances[y];
      state := 'captured';
    END IF;
    RETURN NEXT;
  END LOOP;
  IF charged IS NULL THEN RETURN; END IF;
  UPDATE account SET held_pico = held_pico - c.total, balance_pico = balance_pico - c.total, ledger_day = day_at(account, t)
    FROM (SELECT id, sum(amount) AS total FROM unnest(charged_accounts, charges) AS u(id, amount) GROUP BY id) AS c WHERE account.id = c.id;
  UPDATE api_key SET held_pico = api_key.held_pico - c.total, spent_pico = spent_in_period(api_key, account.ledger_day) + c.total,
      period_start = period_at(api_key, account.ledger_day)
    FROM (SELECT id, sum(amount) AS total FROM unnest(charged_keys, charges) AS u(id, amount) GROUP BY id) AS c, account
    WHERE api_key.id = c.id AND account.id = api_key.account_id;
  PERFORM count_in_budgets(charged_keys, charged_tags, ARRAY(SELECT -amount FROM unnest(charges) AS amount), charges);
  -- A grant in use renews itself here, so that a busy process does not have to lock the row once more.
  UPDATE hold SET max_tokens = max_tokens - c.total,
      expires_at = CASE WHEN expires_at < t + grant_lease() / 2 THEN t + grant_lease() ELSE expires_at END
    FROM unnest(grant_ids, totals) AS c(id, total) WHERE hold.id = c.id AND c.total > 0;
  INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, state, tokens, tags, created_at, expires_at, resolved_at)
    SELECT c.id, c.account, c.key, models[c.n], prices[c.n], max_tokens[c.n], 'captured', used[c.n],
      string_to_array(c.tags, ','),
      t - coalesce(ages_ms[c.n], 0) * interval '1 ms', t + hold_lifetime(), t
    FROM unnest(charged_ids, charged_accounts, charged_keys, charged_tags, charged) AS c(id, account, key, tags, n);
  INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
    latency_ms, question_counts, noul_count, choice_count, score_count, price_rule, tags, created_at)
  SELECT c.account, 'charge', -c.charge, c.after, c.id, c.key, models[c.n], used[c.n], prices[c.n], latencies_ms[c.n],
    stored_question_counts(question_counts[c.n]),
    question_count(question_counts[c.n], 'noul'), question_count(question_counts[c.n], 'choice'), question_count(question_counts[c.n], 'score'),
    price_rule(), string_to_array(c.tags, ','),
    -- As in charge_holds: a clock that is set back must not date a charge before the periods that it counts in.
    greatest(t, (SELECT ledger_day FROM account WHERE id = c.account))
  FROM unnest(charged_ids, charged_accounts, charged_keys, charged_tags, charges, balances_after, charged) AS c(id, account, key, tags, charge, after, n);
END $$;
