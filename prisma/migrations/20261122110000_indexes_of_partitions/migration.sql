-- outside a transaction
-- The next migrations turn these tables into the first partitions of tables by month. The key of a partitioned table includes
-- the column that it is divided by.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ledger_entry_before_pkey ON ledger_entry (account_id, id, created_at);
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS request_event_before_pkey ON request_event (id, created_at);
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS audit_event_before_pkey ON audit_event (id, created_at);
-- Finds the latest entries of all accounts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_entry_before_time ON ledger_entry USING brin (created_at) WITH (pages_per_range = 32, autosummarize);
