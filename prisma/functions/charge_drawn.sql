-- Charges requests that drew their maximum cost from a grant. Each one's hold is written here, already captured, and the grant's hold
-- shrinks by what it cost. Returns one row for each item, in their order: 'captured', 'exceeds' for more tokens than were drawn,
-- 'ended' when the grant cannot pay because it has ended, or the state of the request's hold if it has one. Only what is true under the
-- account's lock counts, never what the process believes. The settings keep the plans on the primary keys, as in charge_holds.
CREATE OR REPLACE FUNCTION charge_drawn(
  grants uuid[], ids uuid[], models text[], prices bigint[], mosts bigint[], used bigint[], latencies_ms integer[], question_counts jsonb[]
) RETURNS TABLE (state text) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz;
  account_ids uuid[];
  balances bigint[];
  -- The grants of the batch as they are under the locks, and what each is charged.
  grant_ids uuid[];
  holds hold[];
  totals bigint[];
  found_ids uuid[];
  found_states text[];
  charge bigint;
  -- The positions of the items charged here, their ids, accounts and keys, charges, and the balances after them.
  charged integer[];
  charged_ids uuid[];
  charged_accounts uuid[];
  charged_keys uuid[];
  charges bigint[];
  balances_after bigint[];
  x integer;
  y integer;
BEGIN
  -- Each account once and in the order of the ids, so that two batches never deadlock.
  SELECT array_agg(locked.id), array_agg(locked.balance_pico) INTO account_ids, balances FROM (
    SELECT id, balance_pico FROM account
    WHERE id = ANY(ARRAY(SELECT h.account_id FROM unnest(grants) AS wanted(id) JOIN hold h ON h.id = wanted.id))
    ORDER BY id FOR NO KEY UPDATE
  ) AS locked;
  t := ledger_now();
  SELECT array_agg(h.id), array_agg(h), array_agg(0::bigint) INTO grant_ids, holds, totals
    FROM (SELECT DISTINCT id FROM unnest(grants) AS u(id)) AS wanted JOIN hold h ON h.id = wanted.id;
  SELECT array_agg(h.id), array_agg(h.state) INTO found_ids, found_states FROM unnest(ids) AS wanted(id) JOIN hold h ON h.id = wanted.id;
  -- A grant that ended left these requests holds of their own. They come first, so that each entry continues the balance before it.
  IF 'held' = ANY(found_states) THEN
    FOR i IN 1 .. cardinality(ids) LOOP
      y := array_position(found_ids, ids[i]);
      CONTINUE WHEN y IS NULL OR found_states[y] <> 'held';
      SELECT c.state INTO state FROM charge_holds(ids[i:i], used[i:i], latencies_ms[i:i], question_counts[i:i]) AS c;
      found_states[y] := state;
    END LOOP;
    SELECT array_agg(a.balance_pico ORDER BY a.id) INTO balances FROM account a WHERE a.id = ANY(account_ids);
  END IF;
  FOR i IN 1 .. cardinality(ids) LOOP
    x := array_position(grant_ids, grants[i]);
    y := array_position(found_ids, ids[i]);
    charge := token_cost(used[i], prices[i]);
    IF ids[i] = ANY(charged_ids) THEN
      state := 'captured';
    ELSIF y IS NOT NULL THEN
      state := found_states[y];
    ELSIF x IS NULL OR holds[x].state <> 'held' OR totals[x] + charge > holds[x].amount_pico THEN
      state := 'ended';
    ELSIF used[i] > mosts[i] THEN
      state := 'exceeds';
    ELSE
      totals[x] := totals[x] + charge;
      y := array_position(account_ids, holds[x].account_id);
      balances[y] := balances[y] - charge;
      charged := charged || i;
      charged_ids := charged_ids || ids[i];
      charged_accounts := charged_accounts || holds[x].account_id;
      charged_keys := charged_keys || holds[x].key_id;
      charges := charges || charge;
      balances_after := balances_after || balances[y];
      state := 'captured';
    END IF;
    RETURN NEXT;
  END LOOP;
  IF charged IS NULL THEN RETURN; END IF;
  UPDATE account SET held_pico = held_pico - c.total, balance_pico = balance_pico - c.total
    FROM (SELECT id, sum(amount) AS total FROM unnest(charged_accounts, charges) AS u(id, amount) GROUP BY id) AS c WHERE account.id = c.id;
  UPDATE api_key SET held_pico = held_pico - c.total, spent_pico = spent_in_period(api_key, t) + c.total, period_start = period_at(api_key, t)
    FROM (SELECT id, sum(amount) AS total FROM unnest(charged_keys, charges) AS u(id, amount) GROUP BY id) AS c WHERE api_key.id = c.id;
  -- A grant in use renews itself here, so that a busy process does not have to lock the row once more.
  UPDATE hold SET max_tokens = max_tokens - c.total,
      expires_at = CASE WHEN expires_at < t + grant_lease() / 2 THEN t + grant_lease() ELSE expires_at END
    FROM unnest(grant_ids, totals) AS c(id, total) WHERE hold.id = c.id AND c.total > 0;
  INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, state, tokens, created_at, expires_at, resolved_at)
    SELECT c.id, c.account, c.key, models[c.n], prices[c.n], mosts[c.n], 'captured', used[c.n], t, t + interval '150 s', t
    FROM unnest(charged_ids, charged_accounts, charged_keys, charged) AS c(id, account, key, n);
  INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
    latency_ms, question_counts, noul_count, choice_count, score_count, created_at)
  SELECT c.account, 'charge', -c.charge, c.after, c.id, c.key, models[c.n], used[c.n], prices[c.n], latencies_ms[c.n],
    CASE WHEN question_counts[c.n] - '{noul,choice,score}'::text[] <> '{}' THEN question_counts[c.n] END,
    coalesce((question_counts[c.n] ->> 'noul')::integer, 0), coalesce((question_counts[c.n] ->> 'choice')::integer, 0),
    coalesce((question_counts[c.n] ->> 'score')::integer, 0),
    -- As in charge_holds: a clock that is set back must not date a charge before the period that it counts in.
    greatest(t, (SELECT period_start FROM api_key WHERE id = c.key))
  FROM unnest(charged_ids, charged_accounts, charged_keys, charges, balances_after, charged) AS c(id, account, key, charge, after, n);
END $$;
