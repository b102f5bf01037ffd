-- Kept for the previous release's place_hold and place_holds, which can still run during an upgrade. See admission_verdict.
CREATE OR REPLACE FUNCTION key_takes(k api_key, need bigint, at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  -- Without an account only the key decides.
  SELECT admission_verdict(NULL, k, need, 0, 0, at) = 'held'
$$;
