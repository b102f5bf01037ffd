-- Eight buckets to each doubling: bounds 9 % apart, exact up to 11 ms. Bucket b holds 2^((b-1)/8) to 2^(b/8).
CREATE OR REPLACE FUNCTION latency_bucket(ms integer) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ms < 1 THEN 0 ELSE 1 + floor(8 * ln(ms::float8) / ln(2::float8) + 1e-9) END::smallint
$$;
