-- The start of the period that a key's `spent_pico` is of, from now on.
CREATE OR REPLACE FUNCTION period_at(k api_key, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN k.limit_period = 'daily' THEN greatest(k.period_start, date_trunc('day', at, 'UTC')) ELSE k.period_start END
$$;
