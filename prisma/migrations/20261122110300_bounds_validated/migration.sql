-- Reads the tables once, while requests go on, so that they become partitions at once.
DO $$
DECLARE bound record;
BEGIN
  FOR bound IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
    WHERE conname LIKE 'before\_%' AND connamespace = current_schema()::regnamespace AND NOT convalidated
  LOOP
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', bound.name, bound.conname);
  END LOOP;
END $$;
