-- Tokenizers that models are pinned to, kept whole: whichever process counts has the same bytes as the one they came to.
CREATE TABLE tokenizer (
  fingerprint text PRIMARY KEY CHECK (fingerprint ~ '^sha256:[0-9a-f]{64}$'),
  tokenizer_json bytea NOT NULL,
  config_json bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- How tokens are counted has a name now; null is "not known yet", and such a model is not sold. What was sold without a
-- tokenizer was counted by bytes.
UPDATE model SET tokenizer = 'bytes-4'
WHERE engine = 'system-one' AND tokenizer IS NULL AND EXISTS (SELECT 1 FROM hold WHERE model_id = model.id);
