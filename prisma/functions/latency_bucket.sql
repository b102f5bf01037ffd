-- The latency bucket of a number of milliseconds. Each doubling has eight buckets, so their bounds are 9 % apart; up to 11 ms
-- a bucket holds one value. Bucket b holds 2^((b-1)/8) to 2^(b/8) ms, and bucket 0 holds 0 ms.
CREATE OR REPLACE FUNCTION latency_bucket(ms integer) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ms < 1 THEN 0 ELSE 1 + floor(8 * ln(ms::float8) / ln(2::float8) + 1e-9) END::smallint
$$;
