-- By which browser, and from where, a person recognises a session; both go with it.
ALTER TABLE session ADD COLUMN browser text, ADD COLUMN client_address text;

-- What more there is to say of an event than its subject: a browser's name. Never content.
ALTER TABLE audit_event ADD COLUMN detail text;

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'audit_event is append-only'; END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event EXECUTE FUNCTION audit_is_append_only();
