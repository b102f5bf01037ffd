-- How many questions of one type a charge answered, for the column of that type in ledger_entry.
CREATE OR REPLACE FUNCTION question_count(counts jsonb, type text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((counts ->> type)::integer, 0)
$$;
