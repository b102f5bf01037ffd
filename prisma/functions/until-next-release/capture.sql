-- Only for processes of the last release. One capture is a batch of one: see charge_holds.
CREATE OR REPLACE FUNCTION capture(h uuid, used bigint, latency integer, nouls integer, choices integer, scores integer)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT state FROM capture_holds(ARRAY[h], ARRAY[used], ARRAY[latency], ARRAY[nouls], ARRAY[choices], ARRAY[scores]));
END $$;
