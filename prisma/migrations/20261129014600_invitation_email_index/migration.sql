-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS invitation_open_email ON invitation (email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
