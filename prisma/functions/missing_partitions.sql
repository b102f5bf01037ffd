-- The partitions that should exist by now and do not.
CREATE OR REPLACE FUNCTION missing_partitions() RETURNS TABLE (parent text, since timestamptz, until timestamptz)
LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT t.parent, s.since, s.since + t.step
  FROM partitioned_tables() AS t, date_trunc(t.unit, ledger_now()) AS today, generate_series(today, today + t.ahead, t.step) AS s(since)
  WHERE NOT EXISTS (SELECT FROM partitions_of(t.parent, s.since) WHERE has_time)
  ORDER BY s.since
$$;
