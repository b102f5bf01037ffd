-- Users who were deleted keep their row, without their address, because top-ups and the audit log name it.
ALTER TABLE app_user ADD COLUMN erased_at timestamptz;

-- Keyed hashes of addresses that had a user before. They get no second welcome credit.
CREATE TABLE past_address (
  address_hmac bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- A user's change to another address. Both addresses confirm it, each with a link of its own.
CREATE TABLE email_change (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  new_email text NOT NULL CHECK (new_email = lower(new_email)),
  old_token_hash text NOT NULL,
  new_token_hash text NOT NULL,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- When it was made, cancelled or replaced.
  ended_at timestamptz
);
CREATE UNIQUE INDEX email_change_old_token_hash_key ON email_change (old_token_hash);
CREATE UNIQUE INDEX email_change_new_token_hash_key ON email_change (new_token_hash);
CREATE UNIQUE INDEX email_change_pending_idx ON email_change (user_id) WHERE ended_at IS NULL;
CREATE INDEX email_change_created_at_idx ON email_change (created_at);

-- An audit event never changes, but the address of its client and the name of a browser can be erased. A trigger for the statement
-- cannot see the rows, so updates get a trigger of their own.
CREATE FUNCTION audit_keeps_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.client_address IS NULL AND (NEW.detail IS NULL OR NEW.detail = OLD.detail)
    AND to_jsonb(NEW) - '{client_address,detail}'::text[] = to_jsonb(OLD) - '{client_address,detail}'::text[] THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit_event is append-only';
END $$;
DROP TRIGGER append_only ON audit_event;
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON audit_event EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER keeps_events BEFORE UPDATE ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_keeps_events();
