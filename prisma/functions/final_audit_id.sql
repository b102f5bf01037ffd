-- The id up to which every audit event is committed or never will be. Reads the last id before the locks: a transaction with an id up to it
-- took its lock before, and is visible once the lock is gone. Read the events in a later statement.
CREATE OR REPLACE FUNCTION final_audit_id() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  last_id bigint := coalesce(pg_sequence_last_value('audit_event_number'), 0);
  -- A lock has the lower 31 bits of an id. None of the last 2^31 ids has the same.
  circle CONSTANT bigint := 2147483648;
BEGIN
  RETURN (
    SELECT coalesce(min(last_id - behind), last_id) FROM (
      SELECT ((last_id - objid::bigint) % circle + circle) % circle AS behind FROM pg_locks
      WHERE locktype = 'advisory' AND classid = 7315023 AND objsubid = 2 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) held
    -- A lock that was taken since then may have a later id, which looks almost a circle behind. It holds back later ids only.
    WHERE behind < circle / 2);
END $$;
