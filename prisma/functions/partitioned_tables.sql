-- The partitioned tables, what one partition holds, and how far ahead partitions are created. Holds are kept for a week, so they are
-- divided by day: dropping a day removes its holds without deleting row by row.
CREATE OR REPLACE FUNCTION partitioned_tables() RETURNS TABLE (parent text, unit text, step interval, ahead interval)
LANGUAGE sql IMMUTABLE AS $$
  VALUES ('ledger_entry', 'month', interval '1 month', interval '2 months'), ('request_event', 'month', interval '1 month', interval '2 months'),
    ('request_detail', 'month', interval '1 month', interval '2 months'), ('audit_event', 'month', interval '1 month', interval '2 months'), ('hold', 'day', interval '1 day', interval '3 days'),
    ('charged_hold', 'day', interval '1 day', interval '3 days')
$$;
