-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS session_oidc_sid ON session (oidc_sid) WHERE oidc_sid IS NOT NULL;
