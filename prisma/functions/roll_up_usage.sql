-- Adds the next entries of an account, `most` at most, to its rows of usage_sum, and returns how many entries these were.
-- The mark moves in the same transaction, so no entry is counted twice or skipped. While another caller rolls up
-- this account, it returns 0 and changes nothing.
-- Every charge counts in eight sums: hour and day, its key and all keys (the zero UUID), its model and all models (*).
CREATE OR REPLACE FUNCTION roll_up_usage(acc uuid, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE mark bigint; last bigint; added integer;
  -- The times of the first and the last entry, so that only their partitions are read.
  first_at timestamptz; last_at timestamptz;
  counts text; sums text; pairs text;
BEGIN
  INSERT INTO usage_mark (account_id) VALUES (acc) ON CONFLICT DO NOTHING;
  SELECT entry_id INTO mark FROM usage_mark WHERE account_id = acc FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT max(e.id), count(*), min(e.created_at), max(e.created_at) INTO last, added, first_at, last_at
    FROM (SELECT id, created_at FROM ledger_entry WHERE account_id = acc AND id > mark ORDER BY id LIMIT most) e;
  IF added = 0 THEN RETURN 0; END IF;
  -- The statement has a column of sums for each question type that has no column of its own: q1, q2 and so on. They become JSON at
  -- the end, because unpacking every charge's JSON into rows takes longer.
  SELECT coalesce(string_agg(format(', (e.question_counts ->> %L)::bigint AS q%s', type, n), '' ORDER BY n), ''),
    coalesce(string_agg(format(', sum(q%s)::bigint AS q%s', n, n), '' ORDER BY n), ''),
    coalesce(string_agg(format(', %L, q%s', type, n), '' ORDER BY n), '')
  INTO counts, sums, pairs FROM (
    SELECT type, row_number() OVER (ORDER BY type) AS n FROM (
      SELECT DISTINCT jsonb_object_keys(e.question_counts - '{noul,choice,score}'::text[]) AS type FROM ledger_entry e
      WHERE e.account_id = acc AND e.id > mark AND e.id <= last AND e.question_counts IS NOT NULL
        AND e.created_at BETWEEN first_at AND last_at
    ) AS found
  ) AS numbered;
  EXECUTE format($sql$
  INSERT INTO usage_sum AS kept (account_id, unit, start, key_id, model_id, decisions, tokens, cost_pico, question_counts,
    latency_counts, latencies)
  WITH charge AS MATERIALIZED (
    SELECT date_trunc('hour', e.created_at, 'UTC') AS hour, date_trunc('day', e.created_at, 'UTC') AS day, e.key_id, e.model_id,
      latency_bucket(e.latency_ms) AS bucket, e.tokens, -e.amount_pico AS cost,
      noul_count AS noul, choice_count AS choice, score_count AS score%1$s
    FROM ledger_entry e
    WHERE e.account_id = $1 AND e.id > $2 AND e.id <= $3 AND e.kind = 'charge' AND e.created_at BETWEEN $4 AND $5
  ), by_bucket AS (
    SELECT CASE WHEN grouping(hour) = 0 THEN 'hour' ELSE 'day' END AS unit, coalesce(hour, day) AS start,
      coalesce(key_id, '00000000-0000-0000-0000-000000000000') AS key_id, coalesce(model_id, '*') AS model_id, bucket,
      count(*) AS n, sum(tokens) AS tokens, sum(cost) AS cost,
      sum(noul)::bigint AS noul, sum(choice)::bigint AS choice, sum(score)::bigint AS score%2$s
    FROM charge GROUP BY GROUPING SETS (hour, day), GROUPING SETS ((key_id, model_id), key_id, model_id, ()), bucket
  ), figures AS (
    SELECT unit, start, key_id, model_id, sum(n) AS decisions, sum(tokens) AS tokens, sum(cost) AS cost,
      sum(noul)::bigint AS noul, sum(choice)::bigint AS choice, sum(score)::bigint AS score%2$s,
      coalesce(('{' || string_agg(repeat('0,', bucket - 1 - coalesce(before, -1)) || n, ',' ORDER BY bucket) || '}')::bigint[], '{}') AS latency_counts,
      coalesce(sum(n * latency_unit(bucket)), 0) AS latencies
    FROM (
      SELECT *, lag(bucket) OVER (PARTITION BY unit, start, key_id, model_id ORDER BY bucket) AS before FROM by_bucket
    ) AS b GROUP BY 1, 2, 3, 4
  )
  SELECT $1, unit, start, key_id, model_id, decisions, tokens, cost, jsonb_strip_nulls(jsonb_build_object(
    'noul', nullif(noul, 0), 'choice', nullif(choice, 0), 'score', nullif(score, 0)%3$s)),
    latency_counts, latencies
  FROM figures
  ON CONFLICT (account_id, unit, start, key_id, model_id) DO UPDATE SET
    decisions = kept.decisions + EXCLUDED.decisions, tokens = kept.tokens + EXCLUDED.tokens,
    cost_pico = kept.cost_pico + EXCLUDED.cost_pico,
    question_counts = add_question_counts(kept.question_counts, EXCLUDED.question_counts),
    latency_counts = add_counts(kept.latency_counts, EXCLUDED.latency_counts),
    latencies = kept.latencies + EXCLUDED.latencies
  $sql$, counts, sums, pairs) USING acc, mark, last, first_at, last_at;
  UPDATE usage_mark SET entry_id = last WHERE account_id = acc;
  RETURN added;
END $$;
