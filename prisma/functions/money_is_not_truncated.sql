CREATE OR REPLACE FUNCTION money_is_not_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is named by the ledger, which is append-only', TG_TABLE_NAME; END $$;
