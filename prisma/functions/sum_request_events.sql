-- Trigger: adds the request events that a statement inserted to usage_error. Events come in batches, away from the requests
-- themselves. Every event counts in eight sums: hour and day, its key and all keys (the zero UUID), its model (empty when it
-- named no known one) and all models (*).
-- Rows are written in the order of their key, so that two instances never wait for each other in a circle.
CREATE OR REPLACE FUNCTION sum_request_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_error AS kept (account_id, unit, start, key_id, model_id, code, status, requests)
  SELECT a.account_id, u.unit, date_trunc(u.unit, a.created_at, 'UTC') AS start, k.key_id, m.model_id, a.code, a.status, count(*)
  FROM added a CROSS JOIN (VALUES ('hour'), ('day')) AS u(unit)
    CROSS JOIN LATERAL (VALUES (a.key_id), ('00000000-0000-0000-0000-000000000000'::uuid)) AS k(key_id)
    CROSS JOIN LATERAL (VALUES (coalesce(a.model_id, '')), ('*')) AS m(model_id)
  GROUP BY 1, 2, 3, 4, 5, 6, 7
  ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (account_id, unit, start, key_id, model_id, code, status) DO UPDATE SET requests = kept.requests + EXCLUDED.requests;
  RETURN NULL;
END $$;
