-- The partitions of a table that hold no row from this time on. The default partition is never one of them.
CREATE OR REPLACE FUNCTION expired_partitions(parent text, before timestamptz) RETURNS TABLE (name text) LANGUAGE sql STABLE AS $$
  SELECT name FROM partitions_of(parent, before) WHERE NOT has_time AND since < before ORDER BY since
$$;
