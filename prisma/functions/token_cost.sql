-- What this number of tokens costs at a price per token, in pico-USD. The price rule of holds and charges. The column
-- hold.amount_pico and a CHECK of ledger_entry repeat it, because their definitions cannot change without a migration.
CREATE OR REPLACE FUNCTION token_cost(tokens bigint, price_pico bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tokens * price_pico
$$;
