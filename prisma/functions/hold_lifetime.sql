-- How long a hold lives without a charge or release: longer than the 120 s that a request may take. A crash leaves it open this long.
CREATE OR REPLACE FUNCTION hold_lifetime() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '150 s' $$;
