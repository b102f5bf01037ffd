-- When the user of a session last opened a mailed confirmation, and the session that such a link confirms. Both null: a plain
-- session, and a link that signs in.
ALTER TABLE session ADD COLUMN confirmed_at timestamptz;
ALTER TABLE sign_in_token ADD COLUMN session_id uuid;
