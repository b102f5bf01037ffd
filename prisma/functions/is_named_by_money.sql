-- What money names keeps its id, and does not go in a TRUNCATE either.
CREATE OR REPLACE FUNCTION is_named_by_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE named boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM ledger_entry WHERE %1$I = $1.id) OR EXISTS (SELECT 1 FROM hold WHERE %1$I = $1.id)',
    TG_ARGV[0]) INTO named USING OLD;
  IF named THEN
    RAISE EXCEPTION 'this row of % is named by holds or ledger entries', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF TG_OP = 'UPDATE' THEN RETURN NEW; END IF;
  RETURN OLD;
END $$;
