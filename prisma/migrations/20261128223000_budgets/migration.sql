-- What the keys of an account, or those that a member created, may spend in a UTC day or month. The subject is the empty text for the account,
-- else the user's id. Spent and reserved amounts count as those of a key.
CREATE TABLE budget (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  user_id uuid REFERENCES app_user,
  subject text NOT NULL,
  period text NOT NULL CHECK (period IN ('daily', 'monthly')),
  limit_pico bigint NOT NULL CHECK (limit_pico > 0),
  period_start timestamptz(6) NOT NULL,
  spent_pico bigint NOT NULL DEFAULT 0 CHECK (spent_pico >= 0),
  held_pico bigint NOT NULL DEFAULT 0 CHECK (held_pico >= 0),
  warned_percent smallint NOT NULL DEFAULT 0,
  warned_period timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  CHECK (subject = coalesce(user_id::text, ''))
);
CREATE UNIQUE INDEX budget_account_id_subject_period_key ON budget (account_id, subject, period);

-- The latest UTC day on which a hold of an account was placed or ended. The periods of existing keys began today at the latest.
ALTER TABLE account ADD COLUMN ledger_day timestamptz(6) NOT NULL DEFAULT date_trunc('day', now(), 'UTC');
ALTER TABLE account ALTER COLUMN ledger_day SET DEFAULT '-infinity';

-- CREATE OR REPLACE cannot add a parameter. The functions are created again with this migration.
DROP FUNCTION IF EXISTS spendable(account, api_key, bigint, bigint, timestamptz),
  admission_verdict(account, api_key, bigint, bigint, bigint, timestamptz, boolean);
