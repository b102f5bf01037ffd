-- The partitions of a table without its default partition, and whether each holds rows of this time. `since` is the start in its
-- name, or -infinity for the table that existed before there were partitions.
CREATE OR REPLACE FUNCTION partitions_of(wanted text, at timestamptz) RETURNS TABLE (name text, since timestamptz, has_time boolean)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE child regclass;
BEGIN
  FOR child IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = wanted::regclass LOOP
    name := child::text;
    CONTINUE WHEN name = wanted || '_default';
    since := coalesce(to_timestamp(substring(name FROM '_(\d{4}_\d{2}(?:_\d{2})?)$'), 'YYYY_MM_DD'), '-infinity');
    EXECUTE format('SELECT %s FROM (SELECT $1 AS created_at, $2 AS id, $2 AS hold_id) AS value', pg_get_partition_constraintdef(child))
      INTO has_time USING at, first_id_at(at);
    RETURN NEXT;
  END LOOP;
END $$;
