-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS queued_mail_account_id_idx ON queued_mail (account_id);
