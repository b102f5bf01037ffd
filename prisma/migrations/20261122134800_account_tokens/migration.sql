-- Tokens with which programs read an account. The secret is kept as its SHA-256 only; a revoked token is deleted.
CREATE TABLE account_token (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  name text NOT NULL,
  masked text NOT NULL,
  secret_sha256 bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE UNIQUE INDEX account_token_secret_sha256_key ON account_token (secret_sha256);
CREATE INDEX account_token_account_id_idx ON account_token (account_id);
