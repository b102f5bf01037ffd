-- While `paused_at` is set, a key is refused like a revoked one. `note` is the owner's own text about it.
ALTER TABLE api_key ADD COLUMN paused_at timestamptz, ADD COLUMN note text;
