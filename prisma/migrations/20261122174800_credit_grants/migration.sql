-- Credit that a process set aside for many requests of one key. Its amount is that of the open hold with its id, so every process
-- counts it against balance and limit, also one of the last release.
CREATE TABLE credit_grant (
  hold_id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  key_id uuid NOT NULL REFERENCES api_key,
  -- How much of it no request in flight had drawn a moment ago. Pages show it as not reserved.
  unused_pico bigint NOT NULL CHECK (unused_pico >= 0),
  recalled_at timestamptz(6)
);
CREATE INDEX ON credit_grant (account_id);
