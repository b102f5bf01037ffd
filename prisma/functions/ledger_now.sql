-- The ledger's clock, read after the locks. Tests replace it, for example to cross midnight with open holds.
CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() $$;
