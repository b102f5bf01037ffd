-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_key_masked_start ON api_key (masked text_pattern_ops) WHERE masked IS NOT NULL;
