-- CREATE OR REPLACE cannot rename a parameter. The functions are created again with this migration.
DROP FUNCTION IF EXISTS place_holds(uuid[], uuid[], uuid[], text[], bigint[], bigint[]),
  admit_holds(uuid[], uuid[], uuid[], text[], bigint[], bigint[]), end_grant(uuid, uuid[], text[], bigint[], bigint[]),
  release_drawn(uuid, uuid, text, bigint, bigint),
  charge_drawn(uuid[], uuid[], text[], bigint[], bigint[], bigint[], integer[], jsonb[]);
