-- How much a key may still hold, in pico-USD: what is left of its limit or of the balance, whichever is less. Earlier holds of the same
-- batch took `account_taken` from the account and `key_taken` from the key.
CREATE OR REPLACE FUNCTION spendable(a account, k api_key, account_taken bigint, key_taken bigint, at timestamptz)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT least(a.balance_pico - a.held_pico - account_taken, k.limit_pico - spent_in_period(k, at) - k.held_pico - key_taken)
$$;
