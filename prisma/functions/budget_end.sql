-- When the period of a budget on this UTC day ends.
CREATE OR REPLACE FUNCTION budget_end(b budget, day timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE b.period WHEN 'daily' THEN budget_start(b, day) + interval '24 h'
    ELSE (budget_start(b, day) AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC' END
$$;
