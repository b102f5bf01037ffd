-- Events come in batches, a statement each, away from the requests' own path: their sums are kept in the same statement.
-- In the order of the key, so that two instances never wait for each other in a circle.
CREATE OR REPLACE FUNCTION sum_request_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_error AS kept
  SELECT s.account_id, s.unit, s.start, coalesce(s.key_id, '00000000-0000-0000-0000-000000000000'), coalesce(s.model, '*'),
    s.code, s.status, s.n
  FROM (
    SELECT account_id, unit, start, key_id, model, code, status, count(*) AS n
    FROM (
      SELECT a.account_id, u.unit, date_trunc(u.unit, a.created_at, 'UTC') AS start, a.key_id, coalesce(a.model_id, '') AS model,
        a.code, a.status
      FROM added a CROSS JOIN (VALUES ('hour'), ('day')) AS u(unit)
    ) e
    GROUP BY GROUPING SETS ((account_id, unit, start, code, status), (account_id, unit, start, code, status, key_id),
      (account_id, unit, start, code, status, model), (account_id, unit, start, code, status, key_id, model))
  ) s
  ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (account_id, unit, start, key_id, model_id, code, status) DO UPDATE SET requests = kept.requests + EXCLUDED.requests;
  RETURN NULL;
END $$;
