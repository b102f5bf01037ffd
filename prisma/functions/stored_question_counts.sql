-- What the column question_counts of ledger_entry keeps of a charge's counts. Three types have a column each, which takes a quarter
-- of the bytes, so it is null without another type. With one it has all types.
CREATE OR REPLACE FUNCTION stored_question_counts(counts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN counts - '{noul,choice,score}'::text[] <> '{}' THEN counts END
$$;
