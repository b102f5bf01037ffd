-- The admission rule: whether a key may hold `need` more pico-USD. Earlier holds of the same batch took `account_taken` from the
-- account and `key_taken` from the key. `budgets_left` is what they left of the key's budgets, null without one. The checks are in the order
-- of the API's contract. 'near': `need` is only an upper bound of the cost, and too little is left to hold more than the cost.
CREATE OR REPLACE FUNCTION admission_verdict(
  a account, k api_key, need bigint, account_taken bigint, key_taken bigint, at timestamptz, is_bound boolean DEFAULT false,
  budgets_left bigint DEFAULT NULL
) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN k.id IS NULL OR k.revoked_at IS NOT NULL OR k.paused_at IS NOT NULL OR a.status <> 'active' THEN 'revoked'
    WHEN k.expires_at <= at THEN 'expired_key'
    WHEN is_bound AND is_near_limit(need, spendable(a, k, account_taken, key_taken, at, budgets_left)) THEN 'near'
    WHEN need > least(k.limit_pico - spent_in_period(k, day_at(a, at)) - k.held_pico - key_taken, budgets_left) THEN 'key_limit'
    WHEN NOT balance_admits(a, need, account_taken) THEN 'insufficient'
    ELSE 'held'
  END
$$;
