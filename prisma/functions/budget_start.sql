-- When the period begins in which a budget counts on this UTC day. Periods only move forward.
CREATE OR REPLACE FUNCTION budget_start(b budget, day timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(b.period_start, date_trunc(CASE b.period WHEN 'daily' THEN 'day' ELSE 'month' END, day, 'UTC'))
$$;
