-- When a member was last made something else than an owner, and who replaced the secret of a webhook. Null: never, or before this release.
ALTER TABLE member ADD COLUMN owner_until timestamptz;
ALTER TABLE webhook_endpoint
  ADD COLUMN rotated_at timestamptz,
  ADD COLUMN rotated_by uuid REFERENCES app_user;
