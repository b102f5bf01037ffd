-- The functions are created again with this migration, with a parameter that calls of older processes leave out.
DROP FUNCTION IF EXISTS place_holds(uuid[], uuid[], uuid[], text[], bigint[], bigint[]),
  admit_holds(uuid[], uuid[], uuid[], text[], bigint[], bigint[]),
  admission_verdict(account, api_key, bigint, bigint, bigint, timestamptz),
  extend_grant(uuid, boolean, uuid, uuid, text, bigint, bigint);
