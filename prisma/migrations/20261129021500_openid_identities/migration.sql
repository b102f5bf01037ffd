CREATE TABLE user_identity (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user (id),
  issuer text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX user_identity_issuer_subject_key ON user_identity (issuer, subject);
CREATE INDEX user_identity_user_id_idx ON user_identity (user_id);

CREATE TABLE identity_link (
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user (id),
  issuer text NOT NULL,
  subject text NOT NULL,
  browser_sha256 bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX identity_link_user_id_idx ON identity_link (user_id);
CREATE INDEX identity_link_created_at_idx ON identity_link (created_at);

ALTER TABLE session ADD COLUMN identity_id uuid REFERENCES user_identity (id), ADD COLUMN oidc_sid text;
