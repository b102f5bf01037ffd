-- A table with rows becomes the partition of all times before the start of the month after next. The name of the constraint
-- states that day. It is one to two months away, so new rows satisfy it until the last of these migrations has run.
DO $$
DECLARE name text; bound date := date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + interval '2 months'; has_rows boolean;
BEGIN
  FOREACH name IN ARRAY ARRAY['ledger_entry', 'request_event', 'audit_event'] LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO has_rows;
    CONTINUE WHEN NOT has_rows;
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (created_at < %L) NOT VALID',
      name, to_char(bound, '"before_"YYYY_MM_DD'), bound || ' 00:00:00+00');
  END LOOP;
END $$;
