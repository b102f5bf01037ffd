-- What a charge for this number of tokens costs at a price per token, in pico-USD. Up to max_tokens, at most what its hold reserved:
-- the generated column hold.amount_pico is price_pico * max_tokens. A CHECK of ledger_entry repeats the rule.
CREATE OR REPLACE FUNCTION token_cost(tokens bigint, price_pico bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tokens * price_pico
$$;
