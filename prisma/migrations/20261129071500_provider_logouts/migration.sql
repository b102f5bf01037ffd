CREATE TABLE provider_logout (
  id uuid PRIMARY KEY,
  subject_sha256 bytea,
  sid_sha256 bytea,
  issued_at timestamptz NOT NULL
);
CREATE INDEX provider_logout_issued_at_idx ON provider_logout (issued_at);
