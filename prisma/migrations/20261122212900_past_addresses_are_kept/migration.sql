-- A process of the previous release changes an address without filling `past_emails`, so the database does it.
CREATE FUNCTION past_email_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.past_emails := CASE WHEN NEW.erased_at IS NULL THEN array_append(array_remove(OLD.past_emails, OLD.email), OLD.email) ELSE '{}' END;
  RETURN NEW;
END $$;
CREATE TRIGGER keeps_past_email BEFORE UPDATE OF email ON app_user FOR EACH ROW
  WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION past_email_is_kept();
