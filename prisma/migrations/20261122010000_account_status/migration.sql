-- Whether an account may be used. 'closed' is final. Adding the column rewrites no row.
ALTER TABLE account ADD COLUMN status text NOT NULL DEFAULT 'active'
  CONSTRAINT account_status_check CHECK (status IN ('active', 'suspended', 'closed'));
