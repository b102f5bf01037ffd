-- Does what place_holds does. For a refusal by balance, limit or budget, also returns whether there are grants whose unused credit counts
-- against it, so that recalling them may help. Both are decided under the account's lock, so a refusal without grants is final.
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
      WHEN 'key_limit' THEN EXISTS (
        -- spent_pico may be that of an earlier period, and too high: then a grant is found that would not help.
        SELECT FROM credit_grant g JOIN hold of_grant ON of_grant.id = g.hold_id JOIN api_key other ON other.id = g.key_id
          JOIN api_key k ON k.id = keys[i] AND k.account_id = g.account_id
        WHERE g.account_id = accounts[i] AND (
          (other.id = k.id AND required_pico > k.limit_pico - k.spent_pico - k.held_pico)
          OR EXISTS (
            SELECT FROM budget b WHERE b.account_id = g.account_id AND b.subject = ANY(budget_subjects(k, string_to_array(request_tags[i], ',')))
              AND b.subject = ANY(budget_subjects(other, of_grant.tags)) AND required_pico > b.limit_pico - b.spent_pico - b.held_pico)))
      ELSE false END;
    RETURN NEXT;
  END LOOP;
END $$;
