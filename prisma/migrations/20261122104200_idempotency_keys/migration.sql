-- What a request with an Idempotency-Key left behind. While it runs, the row is its claim on the key and `hold_id` is null.
-- The charge's transaction writes the hold and the pinned model. The row then stays for 24 hours. Nothing that the client
-- sent is stored: the key is hashed, the body is hashed with a secret.
CREATE TABLE idempotency_key (
  account_id uuid NOT NULL REFERENCES account (id),
  key_sha256 bytea NOT NULL CHECK (octet_length(key_sha256) = 32),
  body_hmac bytea NOT NULL CHECK (octet_length(body_hmac) = 32),
  -- The request that is running, and until when it is considered alive.
  request_id uuid,
  leased_until timestamptz,
  hold_id uuid,
  model_id text,
  -- How often the answer was computed after the charge.
  computed_again integer NOT NULL DEFAULT 0 CHECK (computed_again BETWEEN 0 AND 5),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key_sha256),
  CHECK ((request_id IS NULL) = (leased_until IS NULL)),
  CHECK ((hold_id IS NULL) = (model_id IS NULL)),
  CHECK (hold_id IS NOT NULL OR request_id IS NOT NULL)
);
CREATE INDEX idempotency_key_expires_at_idx ON idempotency_key (expires_at);
