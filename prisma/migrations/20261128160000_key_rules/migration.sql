-- What an account decided on the spend limits of its new keys.
CREATE TABLE key_rules (
  account_id uuid PRIMARY KEY REFERENCES account,
  default_limit_pico bigint CHECK (default_limit_pico > 0),
  default_period text CHECK (default_period IN ('daily', 'lifetime')),
  max_limit_pico bigint CHECK (max_limit_pico > 0),
  CONSTRAINT key_rules_default_check CHECK ((default_limit_pico IS NULL) = (default_period IS NULL)),
  CONSTRAINT key_rules_max_check CHECK (default_limit_pico <= max_limit_pico)
);
