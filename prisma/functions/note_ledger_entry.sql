-- Trigger after each insert into ledger_entry. A charge needs an existing hold that was not charged before, any other entry a new
-- source. The primary keys of charged_hold and ledger_source enforce that, because ledger_entry is divided by month and its own
-- indexes are unique within one month only.
CREATE OR REPLACE FUNCTION note_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.hold_id IS NULL THEN
    INSERT INTO ledger_source (source, account_id, entry_id, created_at) VALUES (NEW.source, NEW.account_id, NEW.id, NEW.created_at);
  ELSE
    INSERT INTO charged_hold (hold_id) SELECT id FROM hold WHERE id = NEW.hold_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'hold % of a charge does not exist', NEW.hold_id USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
