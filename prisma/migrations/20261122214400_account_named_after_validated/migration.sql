ALTER TABLE account VALIDATE CONSTRAINT account_named_after_fkey;
