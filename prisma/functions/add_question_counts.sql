-- The sum of two counts by question type: {"noul": 2} and {"noul": 1, "score": 4} make {"noul": 3, "score": 4}.
CREATE OR REPLACE FUNCTION add_question_counts(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(type, n), '{}') FROM (
    SELECT type, sum(n::bigint) AS n FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS every(type, n)
    GROUP BY type
  ) AS total
$$;
