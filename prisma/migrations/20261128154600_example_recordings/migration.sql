-- A model's answers to the console's examples, which are part of the source. A recording of an example that was changed since is not shown.
CREATE TABLE example_recording (
  model_id text NOT NULL REFERENCES model,
  example_id text NOT NULL,
  request_sha256 bytea NOT NULL CHECK (octet_length(request_sha256) = 32),
  body jsonb NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (model_id, example_id)
);
