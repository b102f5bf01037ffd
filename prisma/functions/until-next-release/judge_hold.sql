-- Only for calls of the last release's place_hold that are running during the upgrade. See place_holds.
CREATE OR REPLACE FUNCTION judge_hold(h uuid, acc uuid, k uuid, model text, price bigint, most bigint)
RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT * FROM place_holds(ARRAY[h], ARRAY[acc], ARRAY[k], ARRAY[model], ARRAY[price], ARRAY[most]);
END $$;
