-- Only for calls of the last release's place_hold and place_holds that are running during the upgrade. See admission_verdict.
CREATE OR REPLACE FUNCTION key_takes(k api_key, need bigint, at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  -- Without an account only the key decides.
  SELECT admission_verdict(NULL, k, need, 0, 0, at) = 'held'
$$;
