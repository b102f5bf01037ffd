-- The latency bucket of a number of milliseconds. Bucket b holds 2^((b-1)/8) ms and more, but less than 2^(b/8) ms: eight buckets
-- for each doubling, whose bounds are 9 % apart. Bucket 0 holds 0 ms. Up to 15 ms, no two numbers share a bucket.
-- 1e-9 is more than the rounding error of the logarithm, so that a power of two is in the bucket that begins with it.
CREATE OR REPLACE FUNCTION latency_bucket(ms integer) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ms < 1 THEN 0 ELSE 1 + floor(8 * ln(ms::float8) / ln(2::float8) + 1e-9) END::smallint
$$;
