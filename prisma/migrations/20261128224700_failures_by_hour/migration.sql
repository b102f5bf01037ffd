-- outside a transaction
-- Finds the accounts whose requests fail, without a look at the others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS usage_error_failures_by_hour ON usage_error (start)
  WHERE unit = 'hour' AND key_id = '00000000-0000-0000-0000-000000000000' AND model_id = '*' AND status >= 500;
