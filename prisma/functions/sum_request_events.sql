-- Trigger: counts the request events that a statement inserted. Events come in batches, away from the requests themselves.
-- Events of one hour are counted first, so that what follows has fewer rows.
CREATE OR REPLACE FUNCTION sum_request_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_request_counts(array_agg(account_id), array_agg(key_id), array_agg(model_id), array_agg(status), array_agg(code),
    array_agg(hour), array_agg(n))
  FROM (
    SELECT account_id, key_id, model_id, status, code, date_trunc('hour', created_at, 'UTC') AS hour, count(*) AS n
    FROM added GROUP BY 1, 2, 3, 4, 5, 6
  ) AS counted;
  RETURN NULL;
END $$;
