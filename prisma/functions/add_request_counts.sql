-- Adds numbers of requests that did not end in a 200 to usage_error. Each element of the arrays has an account, a key, a model
-- (null when the request named no known one), a status, a code and a time. Each counts in eight sums: hour and day, its key and all keys
-- (the zero UUID), its model (empty for null) and all models (*).
-- Rows are written in the order of their key, so that two instances never deadlock.
CREATE OR REPLACE FUNCTION add_request_counts(
  accounts uuid[], keys uuid[], models text[], statuses integer[], codes text[], times timestamptz[], numbers bigint[]
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO usage_error AS kept (account_id, unit, start, key_id, model_id, code, status, requests)
  SELECT a.account_id, u.unit, date_trunc(u.unit, a.at, 'UTC') AS start, k.key_id, m.model_id, a.code, a.status, sum(a.requests)
  FROM unnest(accounts, keys, models, statuses, codes, times, numbers) AS a(account_id, key_id, model_id, status, code, at, requests)
    CROSS JOIN (VALUES ('hour'), ('day')) AS u(unit)
    CROSS JOIN LATERAL (VALUES (a.key_id), ('00000000-0000-0000-0000-000000000000'::uuid)) AS k(key_id)
    CROSS JOIN LATERAL (VALUES (coalesce(a.model_id, '')), ('*')) AS m(model_id)
  GROUP BY 1, 2, 3, 4, 5, 6, 7
  ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (account_id, unit, start, key_id, model_id, code, status) DO UPDATE SET requests = kept.requests + EXCLUDED.requests;
$$;
