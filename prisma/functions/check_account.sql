CREATE OR REPLACE FUNCTION check_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.requests_per_second > 0 AND NEW.requests_per_second_per_key > 0 THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the rates of an account are positive' USING ERRCODE = 'check_violation';
END $$;
