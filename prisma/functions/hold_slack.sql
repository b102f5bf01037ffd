-- How far a balance may fall short of a request's maximum cost: one US cent, in pico-USD.
CREATE OR REPLACE FUNCTION hold_slack() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT 10000000000::bigint $$;
