-- What a key has spent in its current period, in pico-USD. A daily period starts at midnight UTC. Admission and every page use
-- it, so no page disagrees with a refusal.
CREATE OR REPLACE FUNCTION spent_in_period(k api_key, at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN k.limit_period = 'daily' AND k.period_start < date_trunc('day', at, 'UTC') THEN 0 ELSE k.spent_pico END
$$;
