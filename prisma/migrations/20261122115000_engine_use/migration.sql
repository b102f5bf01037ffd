-- How many slots of an engine each process uses. Processes that share an engine divide its slots.
CREATE TABLE engine_use (
  process_id text NOT NULL,
  engine_url text NOT NULL,
  used integer NOT NULL CHECK (used >= 0),
  is_wide boolean NOT NULL,
  seen_at timestamptz(6) NOT NULL,
  PRIMARY KEY (process_id, engine_url)
);
