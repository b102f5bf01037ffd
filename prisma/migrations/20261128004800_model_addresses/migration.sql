-- Where engines serve a model. The previous version reads model.engine_url, which keeps the first address for one release.
CREATE TABLE model_address (
  model_id text NOT NULL REFERENCES model,
  url text NOT NULL,
  is_draining boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (model_id, url)
);
INSERT INTO model_address (model_id, url) SELECT id, engine_url FROM model WHERE engine_url IS NOT NULL;
