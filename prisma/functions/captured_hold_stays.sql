-- Trigger: a captured hold is not deleted and keeps its id for seven days, because a retry of its capture may need it.
CREATE OR REPLACE FUNCTION captured_hold_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'captured hold % stays for seven days', OLD.id USING ERRCODE = 'foreign_key_violation';
END $$;
