-- How many questions of each type a charge answered, such as {"noul": 2}; types without a question are left out.
-- Three types have a column each. An entry with other types has question_counts, which then has all of its types.
CREATE OR REPLACE FUNCTION question_counts_of(e ledger_entry) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(e.question_counts, jsonb_strip_nulls(jsonb_build_object(
    'noul', nullif(e.noul_count, 0), 'choice', nullif(e.choice_count, 0), 'score', nullif(e.score_count, 0))))
$$;
