-- Only for processes of the last release: one array for each question type. See charge_holds.
CREATE OR REPLACE FUNCTION capture_holds(ids uuid[], used bigint[], latencies integer[], nouls integer[], choices integer[], scores integer[])
RETURNS TABLE (state text) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT * FROM charge_holds(ids, used, latencies, ARRAY(
    SELECT jsonb_strip_nulls(jsonb_build_object('noul', nullif(noul, 0), 'choice', nullif(choice, 0), 'score', nullif(score, 0)))
    FROM unnest(nouls, choices, scores) WITH ORDINALITY AS u(noul, choice, score, n) ORDER BY n
  ));
END $$;
