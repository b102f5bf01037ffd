-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS session_identity_id_idx ON session (identity_id);
