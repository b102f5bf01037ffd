-- Does what place_holds does. For a refusal by balance or limit, also returns whether the account or the key has grants, whose unused
-- credit counts against it. Both are decided under the account's lock, so a refusal without grants is final.
CREATE OR REPLACE FUNCTION admit_holds(
  ids uuid[], accounts uuid[], keys uuid[], models text[], prices bigint[], max_tokens bigint[], are_bounds boolean[] DEFAULT '{}',
  request_tags text[] DEFAULT '{}'
) RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz, has_grants boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE i integer := 0;
BEGIN
  FOR outcome, required_pico, available_pico, limit_pico, resets_at IN
    SELECT * FROM place_holds(ids, accounts, keys, models, prices, max_tokens, are_bounds, request_tags)
  LOOP
    i := i + 1;
    has_grants := CASE outcome
      WHEN 'insufficient' THEN EXISTS (SELECT FROM credit_grant WHERE account_id = accounts[i])
      WHEN 'key_limit' THEN EXISTS (SELECT FROM credit_grant WHERE account_id = accounts[i] AND key_id = keys[i])
      ELSE false END;
    RETURN NEXT;
  END LOOP;
END $$;
