-- Top-ups, refunds, disputes and the like of an account: few among its many charges, and read without them.
CREATE INDEX ledger_entry_but_charges ON ledger_entry (account_id, id) WHERE kind <> 'charge';
