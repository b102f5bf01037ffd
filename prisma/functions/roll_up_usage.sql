-- The sums once more for all keys and all models together: a page about everything reads a row for each day and not one for
-- each key and model of it. The zero UUID stands for all keys, * for all models. Charges are summed up again from the start:
-- until a round of the job has done that, the page reads their rows.
CREATE OR REPLACE FUNCTION roll_up_usage(acc uuid, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE mark bigint; last bigint; n integer;
BEGIN
  INSERT INTO usage_mark (account_id) VALUES (acc) ON CONFLICT DO NOTHING;
  SELECT entry_id INTO mark FROM usage_mark WHERE account_id = acc FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT max(e.id), count(*) INTO last, n
    FROM (SELECT id FROM ledger_entry WHERE account_id = acc AND id > mark ORDER BY id LIMIT most) e;
  IF n = 0 THEN RETURN 0; END IF;
  INSERT INTO usage_sum AS kept (account_id, unit, start, key_id, model_id, decisions, tokens, cost_pico, nouls, choices, scores,
    latencies)
  SELECT acc, b.unit, b.start, coalesce(b.key_id, '00000000-0000-0000-0000-000000000000'), coalesce(b.model_id, '*'),
    sum(b.n), sum(b.tokens), sum(b.cost), sum(b.nouls), sum(b.choices), sum(b.scores),
    coalesce(sum(b.n * latency_unit(b.bucket)), 0)
  FROM (
    SELECT unit, start, key_id, model_id, bucket, count(*) AS n, sum(tokens) AS tokens, -sum(amount_pico) AS cost,
      sum(coalesce(noul_count, 0)) AS nouls, sum(coalesce(choice_count, 0)) AS choices, sum(coalesce(score_count, 0)) AS scores
    FROM (
      SELECT u.unit, date_trunc(u.unit, e.created_at, 'UTC') AS start, latency_bucket(e.latency_ms) AS bucket, e.*
      FROM ledger_entry e CROSS JOIN (VALUES ('hour'), ('day')) AS u(unit)
      WHERE e.account_id = acc AND e.id > mark AND e.id <= last AND e.kind = 'charge'
    ) c
    GROUP BY GROUPING SETS ((unit, start, bucket), (unit, start, bucket, key_id), (unit, start, bucket, model_id),
      (unit, start, bucket, key_id, model_id))
  ) b
  GROUP BY b.unit, b.start, b.key_id, b.model_id
  ON CONFLICT (account_id, unit, start, key_id, model_id) DO UPDATE SET
    decisions = kept.decisions + EXCLUDED.decisions, tokens = kept.tokens + EXCLUDED.tokens,
    cost_pico = kept.cost_pico + EXCLUDED.cost_pico, nouls = kept.nouls + EXCLUDED.nouls,
    choices = kept.choices + EXCLUDED.choices, scores = kept.scores + EXCLUDED.scores,
    latencies = kept.latencies + EXCLUDED.latencies;
  UPDATE usage_mark SET entry_id = last WHERE account_id = acc;
  RETURN n;
END $$;
