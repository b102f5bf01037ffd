-- Creates a table's partition for the times from `since` until `until`, which is excluded; without them, the default partition
-- for all other times. Returns its name. Requests wait for the locks that this takes, so the caller limits how long it waits.
-- It runs with the rights of its owner, who owns the tables, so that a role that only serves may call it.
CREATE OR REPLACE FUNCTION add_partition(parent text, since timestamptz, until timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET search_path FROM CURRENT AS $$
DECLARE
  is_daily boolean := parent IN ('hold', 'charged_hold');
  name text := parent || CASE WHEN since IS NULL THEN '_default' ELSE to_char(since, CASE WHEN is_daily THEN '_YYYY_MM_DD' ELSE '_YYYY_MM' END) END;
  bounds text := CASE WHEN since IS NULL THEN 'DEFAULT'
    WHEN is_daily THEN format('FOR VALUES FROM (%L) TO (%L)', first_id_at(since), first_id_at(until))
    ELSE format('FOR VALUES FROM (%L) TO (%L)', since, until) END;
  -- A page of holds keeps room for their updates. Inserts into a daily table start no vacuum: a day is dropped before its rows have
  -- to be frozen. Rows of the other tables hardly ever change, so vacuum freezes them the first time it reads them.
  options text := CASE parent WHEN 'hold' THEN 'fillfactor = 75, autovacuum_vacuum_insert_threshold = -1'
    WHEN 'charged_hold' THEN 'autovacuum_vacuum_insert_threshold = -1'
    ELSE 'autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_freeze_min_age = 0' END;
BEGIN
  -- By default, a caller's temporary tables would come before those of the service.
  PERFORM set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
  IF parent NOT IN (SELECT t.parent FROM partitioned_tables() AS t) OR NOT has_table_privilege(session_user, parent, 'INSERT') THEN
    RAISE EXCEPTION '% may add no partition to %', session_user, parent USING ERRCODE = 'insufficient_privilege';
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (%s)', name, parent, options);
  IF parent = 'ledger_entry' THEN
    -- Entries are nearly in the order of their times and of their requests, so a summary of every 32 pages finds them.
    EXECUTE format('CREATE INDEX ON %I USING brin (created_at, hold_id) WITH (pages_per_range = 32, autosummarize)', name);
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I EXECUTE FUNCTION ledger_is_append_only()', name);
  ELSIF parent = 'audit_event' THEN
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I EXECUTE FUNCTION audit_is_append_only()', name);
  ELSIF parent = 'hold' THEN
    -- The update that ends a hold changes no indexed column.
    EXECUTE format('CREATE INDEX ON %I USING brin (expires_at) WITH (pages_per_range = 32, autosummarize)', name);
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', parent, name, bounds);
  EXECUTE coalesce((SELECT string_agg(format('GRANT %s ON %I TO %s', privilege_type, name, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END), ';')
    FROM pg_class, aclexplode(relacl) WHERE oid = parent::regclass AND grantee <> relowner), 'SELECT');
  EXECUTE format('ALTER TABLE %I OWNER TO %s', name, (SELECT relowner::regrole FROM pg_class WHERE oid = parent::regclass));
  RETURN name;
END $$;
