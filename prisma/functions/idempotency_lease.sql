-- How long a running request keeps its Idempotency-Key without a renewal. After a crash, a retry waits this long at most.
CREATE OR REPLACE FUNCTION idempotency_lease() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '6 s' $$;
