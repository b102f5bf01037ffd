-- Adds the next entries of an account, `most` at most, to its rows of usage_sum and tag_sum, and returns how many entries these were.
-- The mark moves in the same transaction, so no entry is counted twice or skipped. While another caller rolls up
-- this account, it returns 0 and changes nothing.
-- Every charge counts in eight sums: hour and day, its key and all keys (the zero UUID), its model and all models (*).
-- It also counts in two sums of each of its tags: hour and day, with its key and model.
-- A plan is made once per connection, perhaps while a table is small. The settings keep it on the primary key: the
-- BRIN index of times would read the entries of all accounts.
CREATE OR REPLACE FUNCTION roll_up_usage(acc uuid, most integer) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE mark bigint; last bigint; added integer;
  -- The times of the first and the last entry, so that only their partitions are read.
  first_at timestamptz; last_at timestamptz;
BEGIN
  INSERT INTO usage_mark (account_id) VALUES (acc) ON CONFLICT DO NOTHING;
  SELECT entry_id INTO mark FROM usage_mark WHERE account_id = acc FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT max(e.id), count(*), min(e.created_at), max(e.created_at) INTO last, added, first_at, last_at
    FROM (SELECT id, created_at FROM ledger_entry WHERE account_id = acc AND id > mark ORDER BY id LIMIT most) e;
  IF added = 0 THEN RETURN 0; END IF;
  WITH charge AS MATERIALIZED (
    SELECT date_trunc('hour', e.created_at, 'UTC') AS hour, date_trunc('day', e.created_at, 'UTC') AS day, e.key_id, e.model_id,
      latency_bucket(e.latency_ms) AS bucket, e.tokens, -e.amount_pico AS cost,
      e.noul_count AS noul, e.choice_count AS choice, e.score_count AS score,
      e.question_counts - '{noul,choice,score}'::text[] AS other_types, e.tags
    FROM ledger_entry e
    WHERE e.account_id = acc AND e.id > mark AND e.id <= last AND e.kind = 'charge' AND e.created_at BETWEEN first_at AND last_at
  ), by_bucket AS (
    SELECT CASE WHEN grouping(hour) = 0 THEN 'hour' ELSE 'day' END AS unit, coalesce(hour, day) AS start,
      coalesce(key_id, '00000000-0000-0000-0000-000000000000') AS key_id, coalesce(model_id, '*') AS model_id, bucket,
      count(*) AS n, sum(tokens) AS tokens, sum(cost) AS cost,
      sum(noul)::bigint AS noul, sum(choice)::bigint AS choice, sum(score)::bigint AS score
    FROM charge GROUP BY GROUPING SETS (hour, day), GROUPING SETS ((key_id, model_id), key_id, model_id, ()), bucket
  ), by_type AS (
    -- The question types without a column of their own.
    SELECT CASE WHEN grouping(hour) = 0 THEN 'hour' ELSE 'day' END AS unit, coalesce(hour, day) AS start,
      coalesce(key_id, '00000000-0000-0000-0000-000000000000') AS key_id, coalesce(model_id, '*') AS model_id, type,
      sum(questions::bigint)::bigint AS questions
    FROM charge, jsonb_each_text(other_types) AS each(type, questions)
    GROUP BY GROUPING SETS (hour, day), GROUPING SETS ((key_id, model_id), key_id, model_id, ()), type
  ), other AS (
    SELECT unit, start, key_id, model_id, jsonb_object_agg(type, questions) AS counts FROM by_type GROUP BY 1, 2, 3, 4
  ), figures AS (
    SELECT unit, start, key_id, model_id, sum(n) AS decisions, sum(tokens) AS tokens, sum(cost) AS cost,
      sum(noul)::bigint AS noul, sum(choice)::bigint AS choice, sum(score)::bigint AS score,
      coalesce(('{' || string_agg(repeat('0,', bucket - 1 - coalesce(before, -1)) || n, ',' ORDER BY bucket) || '}')::bigint[], '{}') AS latency_counts
    FROM (
      SELECT *, lag(bucket) OVER (PARTITION BY unit, start, key_id, model_id ORDER BY bucket) AS before FROM by_bucket
    ) AS b GROUP BY 1, 2, 3, 4
  ), tagged_by_bucket AS (
    SELECT CASE WHEN grouping(hour) = 0 THEN 'hour' ELSE 'day' END AS unit, coalesce(hour, day) AS start, tag, key_id, model_id, bucket,
      count(*) AS n, sum(c.tokens) AS tokens, sum(cost) AS cost
    FROM charge c CROSS JOIN unnest(c.tags) AS tag GROUP BY GROUPING SETS (hour, day), tag, key_id, model_id, bucket
  ), tagged AS (
    INSERT INTO tag_sum AS kept (account_id, unit, start, tag, key_id, model_id, decisions, tokens, cost_pico, latency_counts)
    SELECT acc, unit, start, tag, key_id, model_id, sum(n), sum(tokens), sum(cost),
      coalesce(('{' || string_agg(repeat('0,', bucket - 1 - coalesce(before, -1)) || n, ',' ORDER BY bucket) || '}')::bigint[], '{}')
    FROM (
      SELECT *, lag(bucket) OVER (PARTITION BY unit, start, tag, key_id, model_id ORDER BY bucket) AS before FROM tagged_by_bucket
    ) AS b GROUP BY unit, start, tag, key_id, model_id
    ON CONFLICT (account_id, unit, start, tag, key_id, model_id) DO UPDATE SET
      decisions = kept.decisions + EXCLUDED.decisions, tokens = kept.tokens + EXCLUDED.tokens,
      cost_pico = kept.cost_pico + EXCLUDED.cost_pico,
      latency_counts = add_counts(kept.latency_counts, EXCLUDED.latency_counts)
  )
  INSERT INTO usage_sum AS kept (account_id, unit, start, key_id, model_id, decisions, tokens, cost_pico, question_counts,
    latency_counts)
  SELECT acc, unit, start, key_id, model_id, decisions, tokens, cost, coalesce(counts, '{}') || jsonb_strip_nulls(jsonb_build_object(
    'noul', nullif(noul, 0), 'choice', nullif(choice, 0), 'score', nullif(score, 0))),
    latency_counts
  FROM figures LEFT JOIN other USING (unit, start, key_id, model_id)
  ON CONFLICT (account_id, unit, start, key_id, model_id) DO UPDATE SET
    decisions = kept.decisions + EXCLUDED.decisions, tokens = kept.tokens + EXCLUDED.tokens,
    cost_pico = kept.cost_pico + EXCLUDED.cost_pico,
    question_counts = add_question_counts(kept.question_counts, EXCLUDED.question_counts),
    latency_counts = add_counts(kept.latency_counts, EXCLUDED.latency_counts);
  UPDATE usage_mark SET entry_id = last WHERE account_id = acc;
  RETURN added;
END $$;
