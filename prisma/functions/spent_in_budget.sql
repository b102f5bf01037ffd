-- What was spent of a budget in its current period, in pico-USD. Admission and every page use it.
CREATE OR REPLACE FUNCTION spent_in_budget(b budget, day timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN b.period_start < budget_start(b, day) THEN 0 ELSE b.spent_pico END
$$;
