-- What the operator credits each month: to the accounts or members of a domain, or of one account. A rule that ended may begin again.
CREATE TABLE allowance_rule (
  id uuid PRIMARY KEY,
  domain text,
  account_id uuid REFERENCES account,
  per text NOT NULL CHECK (per IN ('account', 'member')),
  amount_pico bigint NOT NULL CHECK (amount_pico > 0),
  carries_over boolean NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  ended_at timestamptz(6),
  CHECK (num_nonnulls(domain, account_id) = 1)
);
CREATE UNIQUE INDEX allowance_rule_domain_per_key ON allowance_rule (domain, per);
CREATE UNIQUE INDEX allowance_rule_account_id_per_key ON allowance_rule (account_id, per);

-- What was credited for a UTC month, named by its first day, once per rule and subject: an account, or the user who brings the allowance to one. Until it
-- ended, what is left of it is debited in a later month.
CREATE TABLE allowance (
  rule_id uuid NOT NULL REFERENCES allowance_rule,
  credited_for date NOT NULL,
  subject uuid NOT NULL,
  account_id uuid NOT NULL REFERENCES account,
  amount_pico bigint NOT NULL CHECK (amount_pico > 0),
  ended_at timestamptz(6),
  PRIMARY KEY (rule_id, credited_for, subject)
);
CREATE INDEX allowance_account_id_credited_for_idx ON allowance (account_id, credited_for);
CREATE INDEX allowance_open ON allowance (credited_for) WHERE ended_at IS NULL;
