-- The account's part of the admission rule: whether its balance admits a hold of `need` pico-USD, after earlier holds of the
-- same batch took `taken`. Something must be available, and the hold may exceed it by hold_slack().
CREATE OR REPLACE FUNCTION balance_admits(a account, need bigint, taken bigint) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT a.balance_pico - a.held_pico - taken > 0 AND need - (a.balance_pico - a.held_pico - taken) <= hold_slack()
$$;
