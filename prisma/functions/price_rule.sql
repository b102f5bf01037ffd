-- The rule of token_cost that new charges follow. Null: the first one.
CREATE OR REPLACE FUNCTION price_rule() RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT NULL::smallint $$;
