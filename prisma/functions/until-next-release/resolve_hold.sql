-- Only for calls of the last release's release that are running during the upgrade.
CREATE OR REPLACE FUNCTION resolve_hold(
  h uuid, new_state text, used bigint, latency integer, nouls integer, choices integer, scores integer
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF new_state = 'captured' THEN RETURN capture(h, used, latency, nouls, choices, scores); END IF;
  RETURN release(h, new_state);
END $$;
