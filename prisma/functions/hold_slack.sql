-- The balance may fall this far short of what a request could cost.
CREATE OR REPLACE FUNCTION hold_slack() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 10000000000::bigint $$;
