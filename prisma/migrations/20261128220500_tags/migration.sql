-- Cost centres such as `team=search`. A key's list may be empty. Holds and charges have null for none.
ALTER TABLE api_key
  ADD COLUMN tags text[] DEFAULT '{}',
  ADD CONSTRAINT api_key_tags_check CHECK (tags IS NOT NULL AND cardinality(tags) <= 5);
ALTER TABLE hold ADD COLUMN tags text[];
ALTER TABLE ledger_entry ADD COLUMN tags text[];
-- The functions are created again with this migration, with a parameter that calls of older processes leave out.
DROP FUNCTION IF EXISTS place_holds(uuid[], uuid[], uuid[], text[], bigint[], bigint[], boolean[]),
  admit_holds(uuid[], uuid[], uuid[], text[], bigint[], bigint[], boolean[]),
  charge_drawn(uuid[], uuid[], text[], bigint[], bigint[], bigint[], integer[], jsonb[], integer[]),
  end_grant(uuid, uuid[], text[], bigint[], bigint[], integer[]);
