-- A Slack address is a secret: `url` shows its end only, and `secret` is the address, encrypted.
ALTER TABLE webhook_endpoint
  ADD COLUMN kind text NOT NULL DEFAULT 'webhook' CHECK (kind IN ('webhook', 'slack')),
  ADD COLUMN turned_off_at timestamptz(6),
  -- One whose events are all turned off still gets tests.
  DROP CONSTRAINT webhook_endpoint_events_check;
