-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS app_user_mailbox ON app_user ((CASE WHEN split_part(email, '@', 2) IN ('gmail.com', 'googlemail.com') THEN replace(split_part(regexp_replace(email, '^([^@][^@+]*)[+][^@]*@', '\1@'), '@', 1), '.', '') || '@gmail.com' ELSE regexp_replace(email, '^([^@][^@+]*)[+][^@]*@', '\1@') END)) WHERE erased_at IS NULL;
