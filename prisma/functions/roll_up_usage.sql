-- Adds the next entries of an account, `most` at most, to its rows of usage_sum, and returns how many entries these were.
-- The mark moves in the same transaction, so no entry is counted twice or skipped. While another caller does the same it
-- returns 0 and changes nothing.
-- Every charge counts in eight sums: hour and day, its key and all keys (the zero UUID), its model and all models (*).
CREATE OR REPLACE FUNCTION roll_up_usage(acc uuid, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE mark bigint; last bigint; added integer;
BEGIN
  INSERT INTO usage_mark (account_id) VALUES (acc) ON CONFLICT DO NOTHING;
  SELECT entry_id INTO mark FROM usage_mark WHERE account_id = acc FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT max(e.id), count(*) INTO last, added
    FROM (SELECT id FROM ledger_entry WHERE account_id = acc AND id > mark ORDER BY id LIMIT most) e;
  IF added = 0 THEN RETURN 0; END IF;
  INSERT INTO usage_sum AS kept (account_id, unit, start, key_id, model_id, decisions, tokens, cost_pico, question_counts,
    latency_counts, latencies)
  WITH charge AS MATERIALIZED (
    SELECT date_trunc('hour', e.created_at, 'UTC') AS hour, e.key_id, e.model_id, latency_bucket(e.latency_ms) AS bucket,
      question_counts_of(e) AS counts, e.tokens, -e.amount_pico AS cost
    FROM ledger_entry e WHERE e.account_id = acc AND e.id > mark AND e.id <= last AND e.kind = 'charge'
  ), by_bucket AS (
    SELECT s.unit, s.start, k.key_id, m.model_id, c.bucket, sum(c.n)::bigint AS n, sum(c.tokens) AS tokens, sum(c.cost) AS cost
    FROM (
      -- Charges of an hour are counted first, so that what follows has fewer rows.
      SELECT hour, key_id, model_id, bucket, count(*) AS n, sum(tokens) AS tokens, sum(cost) AS cost FROM charge GROUP BY 1, 2, 3, 4
    ) AS c
      CROSS JOIN LATERAL (VALUES ('hour', c.hour), ('day', date_trunc('day', c.hour, 'UTC'))) AS s(unit, start)
      CROSS JOIN LATERAL (VALUES (c.key_id), ('00000000-0000-0000-0000-000000000000'::uuid)) AS k(key_id)
      CROSS JOIN LATERAL (VALUES (c.model_id), ('*')) AS m(model_id)
    GROUP BY 1, 2, 3, 4, 5
  ), figures AS (
    SELECT unit, start, key_id, model_id, sum(n) AS decisions, sum(tokens) AS tokens, sum(cost) AS cost,
      coalesce(('{' || string_agg(repeat('0,', bucket - 1 - coalesce(before, -1)) || n, ',' ORDER BY bucket) || '}')::bigint[], '{}') AS latency_counts,
      coalesce(sum(n * latency_unit(bucket)), 0) AS latencies
    FROM (
      SELECT *, lag(bucket) OVER (PARTITION BY unit, start, key_id, model_id ORDER BY bucket) AS before FROM by_bucket
    ) AS b GROUP BY 1, 2, 3, 4
  ), questions AS (
    SELECT unit, start, key_id, model_id, jsonb_object_agg(type, asked) AS counts FROM (
      SELECT s.unit, s.start, k.key_id, m.model_id, c.type, sum(c.asked) AS asked
      FROM (
        SELECT hour, key_id, model_id, q.type, sum(q.asked::bigint) AS asked
        FROM charge CROSS JOIN LATERAL jsonb_each_text(counts) AS q(type, asked) GROUP BY 1, 2, 3, 4
      ) AS c
        CROSS JOIN LATERAL (VALUES ('hour', c.hour), ('day', date_trunc('day', c.hour, 'UTC'))) AS s(unit, start)
        CROSS JOIN LATERAL (VALUES (c.key_id), ('00000000-0000-0000-0000-000000000000'::uuid)) AS k(key_id)
        CROSS JOIN LATERAL (VALUES (c.model_id), ('*')) AS m(model_id)
      GROUP BY 1, 2, 3, 4, 5
    ) AS by_type GROUP BY 1, 2, 3, 4
  )
  SELECT acc, unit, start, key_id, model_id, f.decisions, f.tokens, f.cost, coalesce(q.counts, '{}'), f.latency_counts, f.latencies
  FROM figures f LEFT JOIN questions q USING (unit, start, key_id, model_id)
  ON CONFLICT (account_id, unit, start, key_id, model_id) DO UPDATE SET
    decisions = kept.decisions + EXCLUDED.decisions, tokens = kept.tokens + EXCLUDED.tokens,
    cost_pico = kept.cost_pico + EXCLUDED.cost_pico,
    question_counts = add_question_counts(kept.question_counts, EXCLUDED.question_counts),
    latency_counts = add_counts(kept.latency_counts, EXCLUDED.latency_counts),
    latencies = kept.latencies + EXCLUDED.latencies;
  UPDATE usage_mark SET entry_id = last WHERE account_id = acc;
  RETURN added;
END $$;
