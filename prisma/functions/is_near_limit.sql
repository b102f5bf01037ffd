-- Whether fewer than 1,024 requests of `need` pico-USD fit into what is spendable. Holds above the cost of their requests could then
-- refuse others that can be paid. A key with the default rate has fewer requests at work. When nothing is left, no cost fits.
CREATE OR REPLACE FUNCTION is_near_limit(need bigint, left_pico bigint) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT left_pico > 0 AND need > left_pico / 1024
$$;
