CREATE OR REPLACE FUNCTION check_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind IN ('secret', 'playground') AND char_length(NEW.name) BETWEEN 1 AND 64
    AND (NEW.kind = 'secret') = (NEW.secret_sha256 IS NOT NULL) AND (NEW.secret_sha256 IS NULL) = (NEW.masked IS NULL)
    AND (NEW.limit_pico IS NULL) = (NEW.limit_period IS NULL) AND coalesce(NEW.limit_pico > 0, true)
    AND coalesce(NEW.limit_period IN ('daily', 'lifetime'), true)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a key has a kind, a name, and a secret and a limit in full or none' USING ERRCODE = 'check_violation';
END $$;
