-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS app_user_email_start ON app_user (email text_pattern_ops) WHERE erased_at IS NULL;
