-- What a charge for this number of tokens costs at a price per token, in pico-USD, by the rule of the charge: null is the first one.
-- The result for a rule never changes, because a CHECK of ledger_entry calls this for old charges too. A new rule is another case
-- here and the number that price_rule returns. `cost` in lib/shared/money.ts follows the newest one.
CREATE OR REPLACE FUNCTION token_cost(tokens bigint, price_pico bigint, rule smallint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tokens * price_pico
$$;
