-- What clients of other APIs may call a model. A name counts in its dialect only.
CREATE TABLE model_name (
  dialect text NOT NULL CHECK (dialect IN ('systemone', 'openrouter', 'openai')),
  name text NOT NULL CHECK (name ~ '^[A-Za-z0-9._~/:-]{1,128}$'),
  target_id text NOT NULL REFERENCES model,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (dialect, name)
);
