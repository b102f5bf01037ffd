-- Trigger on `app_user`: a changed address stays in `past_emails`, so that deleting the user erases it everywhere. Deleting empties it.
CREATE OR REPLACE FUNCTION past_email_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.past_emails := CASE WHEN NEW.erased_at IS NULL THEN array_append(array_remove(OLD.past_emails, OLD.email), OLD.email) ELSE '{}' END;
  RETURN NEW;
END $$;
