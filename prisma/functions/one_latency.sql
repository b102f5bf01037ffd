-- The histogram of `n` answers that all fell into one bucket: latency_counts[1] counts bucket 0. Null without a bucket.
CREATE OR REPLACE FUNCTION one_latency(bucket smallint, n bigint) RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_fill(0::bigint, ARRAY[bucket::integer]) || n
$$;
