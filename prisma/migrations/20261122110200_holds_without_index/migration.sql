-- outside a transaction
-- Settled holds are dropped by day from now on. As a change outside a transaction, it also lets the constraints of the
-- migration before be committed before they are validated.
DROP INDEX CONCURRENTLY IF EXISTS hold_unpaid;
