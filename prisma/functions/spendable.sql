-- How much a key may still hold, in pico-USD: what is left of its limit, of the balance or of its budgets, whichever is less. Earlier holds
-- of the same batch took `account_taken` from the account and `key_taken` from the key. `budgets_left` is null without a budget.
CREATE OR REPLACE FUNCTION spendable(
  a account, k api_key, account_taken bigint, key_taken bigint, at timestamptz, budgets_left bigint DEFAULT NULL
) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT least(a.balance_pico - a.held_pico - account_taken, k.limit_pico - spent_in_period(k, day_at(a, at)) - k.held_pico - key_taken, budgets_left)
$$;
