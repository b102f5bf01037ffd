-- What an operator tries before an alias moves: a share of its answered requests is also asked of a candidate. The sums are of numbers
-- alone.
CREATE TABLE shadow (
  id uuid PRIMARY KEY,
  alias_id text NOT NULL REFERENCES model,
  from_id text NOT NULL REFERENCES model,
  to_id text NOT NULL REFERENCES model,
  share double precision NOT NULL CHECK (share > 0 AND share <= 1),
  budget_pico bigint CHECK (budget_pico > 0),
  spent_pico bigint NOT NULL DEFAULT 0 CHECK (spent_pico >= 0),
  skipped bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT now(),
  until_at timestamptz,
  ended_at timestamptz,
  CHECK (from_id <> to_id)
);
CREATE UNIQUE INDEX shadow_running_idx ON shadow (alias_id) WHERE ended_at IS NULL;
-- Without a foreign key to the account, whose check would lock the account's row.
CREATE TABLE shadow_account (
  shadow_id uuid REFERENCES shadow ON DELETE CASCADE,
  account_id uuid,
  answered bigint NOT NULL,
  failures bigint NOT NULL,
  tokens bigint NOT NULL,
  served_ms bigint NOT NULL,
  candidate_ms bigint NOT NULL,
  PRIMARY KEY (shadow_id, account_id)
);
CREATE INDEX shadow_account_account_id_idx ON shadow_account (account_id);
CREATE TABLE shadow_question (
  shadow_id uuid REFERENCES shadow ON DELETE CASCADE,
  account_id uuid,
  type text,
  options smallint,
  compared bigint NOT NULL,
  changed bigint NOT NULL CHECK (changed BETWEEN 0 AND compared),
  distance double precision NOT NULL CHECK (distance >= 0),
  PRIMARY KEY (shadow_id, account_id, type, options)
);
CREATE INDEX shadow_question_account_id_idx ON shadow_question (account_id);
-- The accounts whose requests are asked of no candidate.
CREATE TABLE shadow_refusal (
  account_id uuid PRIMARY KEY REFERENCES account,
  refused_at timestamptz NOT NULL DEFAULT now()
);
