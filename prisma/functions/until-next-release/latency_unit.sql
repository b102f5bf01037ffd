-- Only for processes of the last release and the column usage_sum.latencies that they read: all buckets in one number, with
-- twelve decimal digits each, the first bucket last.
CREATE OR REPLACE FUNCTION latency_unit(bucket smallint) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('1e' || (12 * bucket)::text)::numeric
$$;
