-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS app_user_domain ON app_user (split_part(email, '@', 2)) WHERE erased_at IS NULL;
