-- When the period begins in which a key spends at this time. Periods only move forward, even if the clock is set back.
CREATE OR REPLACE FUNCTION period_at(k api_key, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN k.limit_period = 'daily' THEN greatest(k.period_start, date_trunc('day', at, 'UTC')) ELSE k.period_start END
$$;
