-- Counts of all latency buckets as one number, twelve decimal digits to each bucket, the least first: sums of such numbers are
-- the sums of their counts, made by sum() in one go where two arrays had to be unfolded, grouped and folded again.
CREATE OR REPLACE FUNCTION latency_unit(bucket smallint) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('1e' || (12 * bucket)::text)::numeric
$$;
