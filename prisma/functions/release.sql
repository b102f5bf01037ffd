-- 'voided' | 'expired' | 'unknown' | the state it already has.
CREATE OR REPLACE FUNCTION release(h uuid, how text) RETURNS text LANGUAGE sql AS $$
  SELECT resolve_hold(h, CASE how WHEN 'expired' THEN 'expired' ELSE 'voided' END, NULL, NULL, NULL, NULL, NULL)
$$;
