-- A stay may be chosen before a planned move, on the model at which the alias still points. Its end is announced by mail once.
ALTER TABLE alias_stay
  ADD COLUMN is_ahead boolean NOT NULL DEFAULT false,
  ADD COLUMN end_mailed_at timestamptz;
