-- The price rule that a charge follows, so that a new rule leaves past charges as they are. Null is the first rule.
ALTER TABLE ledger_entry ADD price_rule smallint;

-- The CHECK calls it. Its present version is in prisma/functions.
DROP FUNCTION IF EXISTS token_cost(bigint, bigint);
CREATE FUNCTION token_cost(tokens bigint, price_pico bigint, rule smallint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tokens * price_pico
$$;
ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_check2, ADD CONSTRAINT ledger_entry_check2
  CHECK (kind <> 'charge' OR amount_pico <= 0 AND amount_pico = -token_cost(tokens, price_pico, price_rule));
