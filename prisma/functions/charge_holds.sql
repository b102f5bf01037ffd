-- Captures holds: each one's reserved amount is released, its tokens times its price are charged, and its ledger entry is
-- written. Returns one row for each item, in their order: 'captured', 'unknown', or the state that the hold already has. 'exceeds'
-- means more tokens than were held; nothing is charged then. A single request has statements of its own, with the result of a batch
-- of one.
-- Of two items for one hold, the first valid one charges it and later ones are 'captured' too.
-- A plan is made once per connection, perhaps while a table is small. The settings keep it on the primary keys. Ids are joined one
-- by one, because PostgreSQL does not choose partitions by an array.
CREATE OR REPLACE FUNCTION charge_holds(ids uuid[], used bigint[], latencies_ms integer[], question_counts jsonb[])
RETURNS TABLE (state text) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz;
  day timestamptz;
  -- The accounts of the batch with their balances after the charges so far, and its existing holds.
  account_ids uuid[];
  balances bigint[];
  hold_ids uuid[];
  holds hold[];
  h hold;
  charge bigint;
  balance_after bigint;
  -- The holds charged so far: position of the item, id, row, charge, and the balance after it.
  charged integer[];
  charged_ids uuid[];
  charged_holds hold[];
  charges bigint[];
  balances_after bigint[];
  x integer;
  y integer;
BEGIN
  -- A hold's state and amount change only under the lock of its account, so they stay as they are read until the transaction ends.

  -- A single request needs no arrays. If it cannot be charged, the code below reports why.
  IF cardinality(ids) = 1 THEN
    SELECT h.* INTO h FROM hold h JOIN account a ON a.id = h.account_id WHERE h.id = ids[1]
      FOR NO KEY UPDATE OF a FOR NO KEY UPDATE OF h;
    IF h.state = 'held' AND used[1] <= h.max_tokens THEN
      t := ledger_now();
      charge := token_cost(used[1], h.price_pico, price_rule());
      UPDATE account SET held_pico = held_pico - h.amount_pico, balance_pico = balance_pico - charge,
          ledger_day = day_at(account, t)
        WHERE id = h.account_id RETURNING balance_pico, ledger_day INTO balance_after, day;
      UPDATE api_key SET held_pico = held_pico - h.amount_pico, spent_pico = spent_in_period(api_key, day) + charge,
          period_start = period_at(api_key, day)
        WHERE id = h.key_id;
      PERFORM count_in_budgets(ARRAY[h.key_id], ARRAY[array_to_string(h.tags, ',')], ARRAY[-h.amount_pico], ARRAY[charge]);
      UPDATE hold SET state = 'captured', tokens = used[1], resolved_at = t WHERE id = h.id;
      INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
        latency_ms, question_counts, noul_count, choice_count, score_count, price_rule, tags, created_at)
      VALUES (h.account_id, 'charge', -charge, balance_after, h.id, h.key_id, h.model_id, used[1], h.price_pico,
        latencies_ms[1], stored_question_counts(question_counts[1]),
        question_count(question_counts[1], 'noul'), question_count(question_counts[1], 'choice'),
        question_count(question_counts[1], 'score'), price_rule(), h.tags, greatest(t, day));
      state := 'captured';
      RETURN NEXT;
      RETURN;
    END IF;
  END IF;

  -- Each account once and in the order of the ids, so that two batches never deadlock.
  SELECT array_agg(locked.id), array_agg(locked.balance_pico) INTO account_ids, balances FROM (
    SELECT id, balance_pico FROM account
    WHERE id = ANY(ARRAY(SELECT h.account_id FROM unnest(ids) AS wanted(id) JOIN hold h ON h.id = wanted.id))
    ORDER BY id FOR NO KEY UPDATE
  ) AS locked;
  SELECT array_agg(h.id), array_agg(h) INTO hold_ids, holds FROM unnest(ids) AS wanted(id) JOIN hold h ON h.id = wanted.id
    WHERE h.account_id = ANY(account_ids);
  t := ledger_now();
  FOR i IN 1 .. cardinality(ids) LOOP
    x := array_position(hold_ids, ids[i]);
    h := holds[x];
    state := CASE WHEN x IS NULL THEN 'unknown' WHEN ids[i] = ANY(charged_ids) THEN 'captured' WHEN h.state <> 'held' THEN h.state
      WHEN used[i] > h.max_tokens THEN 'exceeds' ELSE 'held' END;
    IF state = 'held' THEN
      -- The table's CHECKs refuse a negative or missing number of tokens.
      charge := token_cost(used[i], h.price_pico, price_rule());
      y := array_position(account_ids, h.account_id);
      balances[y] := balances[y] - charge;
      balances_after := balances_after || balances[y];
      charged := charged || i;
      charged_ids := charged_ids || ids[i];
      charged_holds := charged_holds || h;
      charges := charges || charge;
      state := 'captured';
    END IF;
    RETURN NEXT;
  END LOOP;
  IF charged IS NULL THEN RETURN; END IF;
  UPDATE account SET held_pico = held_pico - c.released, balance_pico = balance_pico - c.total, ledger_day = day_at(account, t) FROM (
    SELECT (u.h).account_id AS id, sum((u.h).amount_pico) AS released, sum(u.charge) AS total
    FROM (SELECT unnest(charged_holds) AS h, unnest(charges) AS charge) AS u GROUP BY 1
  ) AS c WHERE account.id = c.id;
  UPDATE api_key SET held_pico = api_key.held_pico - c.released, spent_pico = spent_in_period(api_key, account.ledger_day) + c.total,
      period_start = period_at(api_key, account.ledger_day)
  FROM (
    SELECT (u.h).key_id AS id, sum((u.h).amount_pico) AS released, sum(u.charge) AS total
    FROM (SELECT unnest(charged_holds) AS h, unnest(charges) AS charge) AS u GROUP BY 1
  ) AS c, account WHERE api_key.id = c.id AND account.id = api_key.account_id;
  PERFORM count_in_budgets(array_agg((c.h).key_id), array_agg(array_to_string((c.h).tags, ',')), array_agg(-(c.h).amount_pico), array_agg(c.charge))
    FROM (SELECT unnest(charged_holds) AS h, unnest(charges) AS charge) AS c;
  UPDATE hold SET state = 'captured', tokens = used[c.n], resolved_at = t FROM unnest(charged_ids, charged) AS c(id, n) WHERE hold.id = c.id;
  INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
    latency_ms, question_counts, noul_count, choice_count, score_count, price_rule, tags, created_at)
  SELECT (c.h).account_id, 'charge', -c.charge, c.after, (c.h).id, (c.h).key_id, (c.h).model_id, used[c.n], (c.h).price_pico,
    latencies_ms[c.n], stored_question_counts(c.counts),
    question_count(c.counts, 'noul'), question_count(c.counts, 'choice'), question_count(c.counts, 'score'), price_rule(), (c.h).tags,
    -- A clock that is set back over midnight must not date a charge before the periods that it counts in.
    greatest(t, (SELECT ledger_day FROM account WHERE id = (c.h).account_id))
  FROM (
    SELECT n, h, charge, after, question_counts[n] AS counts
    FROM (SELECT unnest(charged) AS n, unnest(charged_holds) AS h, unnest(charges) AS charge, unnest(balances_after) AS after) AS u
  ) AS c;
END $$;
