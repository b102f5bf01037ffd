-- The source of the entry that credits an allowance.
CREATE OR REPLACE FUNCTION allowance_source(rule uuid, month date, subject uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(':', 'allowance', rule, to_char(month, 'YYYY-MM'), subject)
$$;
