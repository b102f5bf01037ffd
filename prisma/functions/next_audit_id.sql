-- The id of a new audit event. A transaction takes a lock before its first id and keeps it to its end. The lock shows the last id of that
-- time, so that `final_audit_id` finds the smallest id that an open transaction can have.
CREATE OR REPLACE FUNCTION next_audit_id() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF coalesce(current_setting('audit.has_lock', true), '') = '' THEN
    PERFORM pg_advisory_xact_lock_shared(7315023, (coalesce(pg_sequence_last_value('audit_event_number'), 0) % 2147483648)::int);
    PERFORM set_config('audit.has_lock', 'yes', true);
  END IF;
  RETURN nextval('audit_event_number');
END $$;
