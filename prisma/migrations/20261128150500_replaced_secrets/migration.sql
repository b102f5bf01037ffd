-- A key's secret before the last replacement, and until when it works. Null for a key that was never replaced.
ALTER TABLE api_key
  ADD COLUMN replaced_at timestamptz(6),
  ADD COLUMN previous_sha256 bytea,
  ADD COLUMN previous_masked text,
  ADD COLUMN previous_until timestamptz(6),
  ADD COLUMN previous_used_at timestamptz(6),
  ADD CONSTRAINT api_key_previous_check CHECK (num_nonnulls(replaced_at, previous_sha256, previous_masked, previous_until) IN (0, 4));
