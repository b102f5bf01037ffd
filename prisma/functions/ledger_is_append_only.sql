-- Trigger: entries are never changed or removed. A correction is another entry.
CREATE OR REPLACE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'ledger_entry is append-only'; END $$;
