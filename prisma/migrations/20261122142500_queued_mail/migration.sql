-- Mails that wait to be sent. A row is written in the transaction that causes it, once per recipient and source. It holds facts,
-- never a text, an address or a link.
CREATE TABLE queued_mail (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  kind text NOT NULL,
  source text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- When it is sent next. Null once it was sent or given up.
  next_at timestamptz DEFAULT now(),
  sent_at timestamptz
);
CREATE UNIQUE INDEX queued_mail_user_id_source_key ON queued_mail (user_id, source);
CREATE INDEX queued_mail_next_at_idx ON queued_mail (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX queued_mail_created_at_idx ON queued_mail (created_at);

-- When owners are warned: at this balance, and whether it was above or below at the last look.
ALTER TABLE account ADD COLUMN low_balance_pico bigint,
  ADD COLUMN balance_level text NOT NULL DEFAULT 'unknown' CHECK (balance_level IN ('unknown', 'ok', 'low', 'negative'));
-- The percentage of a key's limit for which its owners were mailed, and the period that it belongs to.
ALTER TABLE api_key ADD COLUMN mailed_percent smallint NOT NULL DEFAULT 0, ADD COLUMN mailed_period timestamptz;
-- The kinds of mail that a member does not want.
ALTER TABLE member ADD COLUMN muted_mail text[] DEFAULT '{}';
