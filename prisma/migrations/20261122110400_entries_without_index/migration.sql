-- outside a transaction
-- The new key of the table begins with the same columns. This change, too, ends the transaction of the migration before it.
DROP INDEX CONCURRENTLY IF EXISTS ledger_entry_account_id_id_idx;
