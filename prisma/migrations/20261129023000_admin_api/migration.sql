-- Tokens with which programs operate the service, by hash. A revoked row stays, because the audit log names the token.
CREATE TABLE operator_token (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  masked text NOT NULL,
  secret_sha256 bytea NOT NULL,
  rights text[] CHECK (rights IS NOT NULL AND cardinality(rights) > 0),
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  expires_at timestamptz(6),
  last_used_at timestamptz(6),
  revoked_at timestamptz(6),
  created_by uuid REFERENCES app_user
);
CREATE UNIQUE INDEX operator_token_secret_sha256_key ON operator_token (secret_sha256);

-- What the first request with an Idempotency-Key of a management API returned, without secrets. Dropped after a day.
CREATE TABLE kept_answer (
  caller text NOT NULL,
  key text NOT NULL,
  request_sha256 bytea NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  PRIMARY KEY (caller, key)
);
CREATE INDEX kept_answer_created_at_idx ON kept_answer (created_at);
