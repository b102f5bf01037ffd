-- Trigger: an audit event never changes, except that its client address can be erased, with or without its detail.
CREATE OR REPLACE FUNCTION audit_keeps_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.client_address IS NULL AND (NEW.detail IS NULL OR NEW.detail = OLD.detail)
    AND to_jsonb(NEW) - '{client_address,detail}'::text[] = to_jsonb(OLD) - '{client_address,detail}'::text[] THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit_event is append-only';
END $$;
