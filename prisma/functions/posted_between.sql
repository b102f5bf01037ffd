-- The sum of an account's entries that are no charges, after one entry and before another one, or to the last one for null.
CREATE OR REPLACE FUNCTION posted_between(acc uuid, first bigint, last bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(amount_pico), 0)::bigint FROM ledger_entry
  WHERE account_id = acc AND kind <> 'charge' AND id > first AND (last IS NULL OR id < last)
$$;
