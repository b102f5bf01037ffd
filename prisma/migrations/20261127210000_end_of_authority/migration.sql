-- When an account was suspended or closed, so that ledger verify finds later charges. Null while it is active.
ALTER TABLE account ADD COLUMN inactive_since timestamptz(6);
-- Nothing may be charged to these from now on. When they were suspended or closed does not matter any more.
UPDATE account SET inactive_since = now() WHERE status <> 'active';
-- The functions are created again with this migration, with a parameter that calls of older processes leave out.
DROP FUNCTION IF EXISTS end_grant(uuid, uuid[], text[], bigint[], bigint[]),
  charge_drawn(uuid[], uuid[], text[], bigint[], bigint[], bigint[], integer[], jsonb[]);
