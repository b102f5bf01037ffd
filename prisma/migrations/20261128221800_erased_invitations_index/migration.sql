-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS invitation_account_id_idx ON invitation (account_id);
