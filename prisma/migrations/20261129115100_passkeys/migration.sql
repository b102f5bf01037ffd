CREATE TABLE passkey (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user (id),
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE UNIQUE INDEX passkey_credential_id_key ON passkey (credential_id);
CREATE INDEX passkey_user_id_idx ON passkey (user_id);

CREATE TABLE passkey_challenge (
  session_id uuid NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('add', 'spending', 'access', 'identity', 'operator')),
  user_id uuid NOT NULL REFERENCES app_user (id),
  challenge_sha256 bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (session_id, purpose)
);
CREATE INDEX passkey_challenge_user_id_idx ON passkey_challenge (user_id);
CREATE INDEX passkey_challenge_expires_at_idx ON passkey_challenge (expires_at);
