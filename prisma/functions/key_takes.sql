-- Whether a key takes a hold of `need` in its limit, and may be used at all.
CREATE OR REPLACE FUNCTION key_takes(k api_key, need bigint, at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > at)
    AND (k.limit_pico IS NULL OR need <= k.limit_pico - spent_in_period(k, at) - k.held_pico)
$$;
