-- Drops a partition that holds no row from this time on. Like add_partition, it runs with the rights of its owner. It never drops charges
-- or the audit log, and only a caller who may delete the rows may drop them.
CREATE OR REPLACE FUNCTION drop_partition(parent text, name text, before timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
  IF parent NOT IN ('hold', 'charged_hold', 'request_event', 'request_detail') OR NOT has_table_privilege(session_user, parent, 'DELETE') THEN
    RAISE EXCEPTION '% may drop no partition of %', session_user, parent USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Another process may have dropped it meanwhile.
  IF name NOT IN (SELECT e.name FROM expired_partitions(parent, before) AS e) THEN
    RAISE EXCEPTION '% is no expired partition of %', name, parent USING ERRCODE = 'undefined_table';
  END IF;
  EXECUTE format('DROP TABLE %I', name);
END $$;
