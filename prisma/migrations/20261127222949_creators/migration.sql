-- Who made a token or webhook, and when a token ends. Null: nobody knows who, and never.
ALTER TABLE webhook_endpoint ADD COLUMN created_by uuid REFERENCES app_user;
ALTER TABLE account_token
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN created_by uuid REFERENCES app_user,
  ADD COLUMN expiry_mailed_days smallint;

-- The audit log names the creators of earlier ones by their public ids: a prefix, and 130 bits in base32, of which the first two are zero.
WITH made AS (
  SELECT id, account_id, 'tok_' AS prefix FROM account_token
  UNION ALL SELECT id, account_id, 'whe_' FROM webhook_endpoint
), creator AS (
  SELECT made.id, u.id AS user_id
  FROM made CROSS JOIN LATERAL (
    SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
      substring(B'00' || ('x' || translate(made.id::text, '-', ''))::bit(128) FROM at * 5 - 4 FOR 5)::int + 1, 1), '' ORDER BY at) AS text
    FROM generate_series(1, 26) AS at) AS base32
  JOIN audit_event e ON e.account_id = made.account_id AND e.action IN ('token.create', 'webhook.create')
    AND e.subject = made.prefix || base32.text
  JOIN app_user u ON e.actor = 'user:' || u.id
), tokens AS (
  UPDATE account_token t SET created_by = user_id FROM creator WHERE t.id = creator.id
)
UPDATE webhook_endpoint w SET created_by = user_id FROM creator WHERE w.id = creator.id;
