-- outside a transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS api_key_previous_sha256_key ON api_key (previous_sha256);
