-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS account_name_start ON account (lower(name) text_pattern_ops) WHERE name IS NOT NULL;
