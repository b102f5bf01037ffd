-- What is known of a listed request besides its charge or its refusal. Without foreign keys, whose checks would lock the account's row.
CREATE TABLE request_detail (
  id uuid,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  created_at timestamptz,
  alias text,
  shape bigint,
  state_tokens integer,
  question_tokens integer,
  read_ms integer,
  check_ms integer,
  hold_ms integer,
  engine_ms integer,
  capture_ms integer,
  retries smallint NOT NULL,
  limits jsonb,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX request_detail_account_id_created_at_idx ON request_detail (account_id, created_at);
-- Months follow when the server starts.
CREATE TABLE request_detail_default PARTITION OF request_detail DEFAULT
  WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_freeze_min_age = 0);
