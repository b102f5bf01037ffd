-- Credits or debits an account. The same call again changes nothing and returns false. The source is unique in the whole ledger: a
-- call with the same source and another account, kind or amount raises. So does an unknown account.
CREATE OR REPLACE FUNCTION post_entry(acc uuid, what text, amount bigint, ref text, why text DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE old ledger_entry; after bigint;
BEGIN
  IF ref IS NULL OR what = 'charge' THEN RAISE EXCEPTION 'a posted entry needs a source and is no charge'; END IF;
  PERFORM 1 FROM account WHERE id = acc FOR NO KEY UPDATE;
  SELECT e.* INTO old FROM ledger_source s
    JOIN ledger_entry e ON e.account_id = s.account_id AND e.id = s.entry_id AND e.created_at = s.created_at WHERE s.source = ref;
  IF old.id IS NOT NULL THEN
    IF (old.account_id, old.kind, old.amount_pico) IS DISTINCT FROM (acc, what, amount) THEN
      RAISE EXCEPTION 'source % was posted differently', ref;
    END IF;
    RETURN false;
  END IF;
  UPDATE account SET balance_pico = balance_pico + amount WHERE id = acc RETURNING balance_pico INTO STRICT after;
  INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, source, note, created_at)
    VALUES (acc, what, amount, after, ref, why, ledger_now());
  RETURN true;
END $$;
