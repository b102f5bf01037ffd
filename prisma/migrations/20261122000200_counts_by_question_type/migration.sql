-- One JSON column of counts by question type, such as {"noul": 2, "score": 1}: a new type needs no change of the schema.
-- Entries written before keep their three columns, because rewriting an append-only table of any size would stop all
-- charges meanwhile. question_counts_of() reads both. Until the next release new entries fill the three columns too.
ALTER TABLE ledger_entry ADD COLUMN question_counts jsonb;

-- Latencies of a sum: latency_counts[b + 1] answers fell into bucket b. They were packed into the number `latencies`, twelve
-- decimal digits for each bucket, which processes of the last release still read.
ALTER TABLE usage_sum ADD COLUMN question_counts jsonb, ADD COLUMN latency_counts bigint[];
UPDATE usage_sum SET
  question_counts = jsonb_strip_nulls(jsonb_build_object(
    'noul', nullif(nouls, 0), 'choice', nullif(choices, 0), 'score', nullif(scores, 0))),
  latency_counts = CASE WHEN latencies = 0 THEN '{}' ELSE (
    SELECT array_agg(substr(digits, length(digits) - 12 * bucket + 1, 12)::bigint ORDER BY bucket)
    FROM (SELECT lpad(latencies::text, 12 * ceil(length(latencies::text) / 12.0)::integer, '0') AS digits) AS padded,
      generate_series(1, length(digits) / 12) AS bucket
  ) END;
ALTER TABLE usage_sum ALTER COLUMN question_counts SET NOT NULL,
  DROP COLUMN nouls, DROP COLUMN choices, DROP COLUMN scores;

-- These were steps of the functions that place and end holds, which are rewritten with this migration.
DROP FUNCTION judge_hold, resolve_hold, key_takes;
