-- Servers write this row to find out whether the ledger could be written. It has no other use.
CREATE TABLE write_check (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  checked_at timestamptz NOT NULL DEFAULT now()
);
