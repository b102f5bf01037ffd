-- What the usage page reads instead of millions of rows. Everything here is derived and could be made again.
-- Charges: an account's entries are written under the lock of its row, so they commit in the order of their ids. Hence
-- "summed up to this id" has no gaps, whatever their times: what was spent is always these sums plus the rows above the mark.
CREATE TABLE usage_mark (
  account_id uuid PRIMARY KEY REFERENCES account,
  entry_id bigint NOT NULL DEFAULT 0
);

CREATE TABLE usage_sum (
  account_id uuid NOT NULL,
  unit text NOT NULL CHECK (unit IN ('hour', 'day')),
  start timestamptz NOT NULL,
  key_id uuid NOT NULL,
  model_id text NOT NULL,
  decisions bigint NOT NULL,
  tokens bigint NOT NULL,
  cost_pico bigint NOT NULL,
  nouls bigint NOT NULL,
  choices bigint NOT NULL,
  scores bigint NOT NULL,
  -- How many answers took how long: latency_buckets[i] was counted latency_counts[i] times.
  latency_buckets smallint[],
  latency_counts bigint[],
  PRIMARY KEY (account_id, unit, start, key_id, model_id)
);
CREATE INDEX usage_sum_key_id_unit_start_idx ON usage_sum (key_id, unit, start);

-- Of what did not end in a 200. The empty text stands for no model.
CREATE TABLE usage_error (
  account_id uuid NOT NULL,
  unit text NOT NULL CHECK (unit IN ('hour', 'day')),
  start timestamptz NOT NULL,
  key_id uuid NOT NULL,
  model_id text NOT NULL,
  code text NOT NULL,
  status integer NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (account_id, unit, start, key_id, model_id, code, status)
);
CREATE INDEX usage_error_key_id_unit_start_idx ON usage_error (key_id, unit, start);

-- Eight buckets to each doubling: bounds 9 % apart, exact up to 11 ms. Bucket b holds 2^((b-1)/8) to 2^(b/8).
CREATE FUNCTION latency_bucket(ms integer) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ms < 1 THEN 0 ELSE 1 + floor(8 * ln(ms::float8) / ln(2::float8) + 1e-9) END::smallint
$$;

-- Adds at most so many of an account's entries to its sums; answers how many. Only one caller at a time does it.
CREATE FUNCTION roll_up_usage(acc uuid, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE mark bigint; last bigint; n integer;
BEGIN
  INSERT INTO usage_mark (account_id) VALUES (acc) ON CONFLICT DO NOTHING;
  SELECT entry_id INTO mark FROM usage_mark WHERE account_id = acc FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT max(e.id), count(*) INTO last, n
    FROM (SELECT id FROM ledger_entry WHERE account_id = acc AND id > mark ORDER BY id LIMIT most) e;
  IF n = 0 THEN RETURN 0; END IF;
  INSERT INTO usage_sum AS kept
  SELECT acc, b.unit, b.start, b.key_id, b.model_id, sum(b.n), sum(b.tokens), sum(b.cost), sum(b.nouls), sum(b.choices),
    sum(b.scores), coalesce(array_agg(b.bucket ORDER BY b.bucket) FILTER (WHERE b.bucket IS NOT NULL), '{}'),
    coalesce(array_agg(b.n ORDER BY b.bucket) FILTER (WHERE b.bucket IS NOT NULL), '{}')
  FROM (
    SELECT u.unit, date_trunc(u.unit, e.created_at, 'UTC') AS start, e.key_id, e.model_id, latency_bucket(e.latency_ms) AS bucket,
      count(*) AS n, sum(e.tokens) AS tokens, -sum(e.amount_pico) AS cost, sum(coalesce(e.noul_count, 0)) AS nouls,
      sum(coalesce(e.choice_count, 0)) AS choices, sum(coalesce(e.score_count, 0)) AS scores
    FROM ledger_entry e CROSS JOIN (VALUES ('hour'), ('day')) AS u(unit)
    WHERE e.account_id = acc AND e.id > mark AND e.id <= last AND e.kind = 'charge'
    GROUP BY 1, 2, 3, 4, 5
  ) b
  GROUP BY b.unit, b.start, b.key_id, b.model_id
  ON CONFLICT (account_id, unit, start, key_id, model_id) DO UPDATE SET
    decisions = kept.decisions + EXCLUDED.decisions, tokens = kept.tokens + EXCLUDED.tokens,
    cost_pico = kept.cost_pico + EXCLUDED.cost_pico, nouls = kept.nouls + EXCLUDED.nouls,
    choices = kept.choices + EXCLUDED.choices, scores = kept.scores + EXCLUDED.scores,
    (latency_buckets, latency_counts) = (
      SELECT coalesce(array_agg(m.bucket ORDER BY m.bucket), '{}'), coalesce(array_agg(m.n ORDER BY m.bucket), '{}')
      FROM (
        SELECT t.bucket, sum(t.n)::bigint AS n
        FROM unnest(kept.latency_buckets || EXCLUDED.latency_buckets, kept.latency_counts || EXCLUDED.latency_counts) AS t(bucket, n)
        GROUP BY t.bucket
      ) m
    );
  UPDATE usage_mark SET entry_id = last WHERE account_id = acc;
  RETURN n;
END $$;

-- Events come in batches, a statement each, away from the requests' own path: their sums are kept in the same statement.
-- In the order of the key, so that two instances never wait for each other in a circle.
CREATE FUNCTION sum_request_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_error AS kept
  SELECT a.account_id, u.unit, date_trunc(u.unit, a.created_at, 'UTC') AS start, a.key_id, coalesce(a.model_id, '') AS model,
    a.code, a.status, count(*)
  FROM added a CROSS JOIN (VALUES ('hour'), ('day')) AS u(unit)
  GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (account_id, unit, start, key_id, model_id, code, status) DO UPDATE SET requests = kept.requests + EXCLUDED.requests;
  RETURN NULL;
END $$;
CREATE TRIGGER summed AFTER INSERT ON request_event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sum_request_events();

-- The trigger's lock keeps writers away until this commits: events are either summed here or by the trigger.
INSERT INTO usage_error
SELECT e.account_id, u.unit, date_trunc(u.unit, e.created_at, 'UTC'), e.key_id, coalesce(e.model_id, ''), e.code, e.status, count(*)
FROM request_event e CROSS JOIN (VALUES ('hour'), ('day')) AS u(unit)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- The request log by key and model, and by key and error code.
CREATE INDEX ledger_entry_key_id_model_id_created_at_idx ON ledger_entry (key_id, model_id, created_at);
CREATE INDEX request_event_key_id_code_created_at_idx ON request_event (key_id, code, created_at);
