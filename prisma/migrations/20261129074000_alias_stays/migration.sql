-- The accounts for which an alias stays on its earlier model for a while after a move.
CREATE TABLE alias_stay (
  account_id uuid REFERENCES account,
  alias_id text REFERENCES model,
  model_id text NOT NULL REFERENCES model,
  until_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, alias_id)
);
