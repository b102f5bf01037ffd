-- Finds the oldest holds that ended without a charge, which are dropped after seven days. Captured holds are not in it.
CREATE INDEX hold_unpaid ON hold (resolved_at) WHERE state IN ('voided', 'expired');
