-- The servers on this database, with what they must agree on. A row is dropped when its server stops, or a minute after its last report.
CREATE TABLE server_process (
  id text PRIMARY KEY,
  host text NOT NULL,
  secret_mark text NOT NULL,
  ignored_engine_url text,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL
);
