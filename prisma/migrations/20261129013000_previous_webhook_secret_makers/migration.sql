-- Who made the secret that the last replacement left to its overlap, and when. Null: nobody, or a replacement before this release.
ALTER TABLE webhook_endpoint ADD COLUMN previous_by uuid REFERENCES app_user;
ALTER TABLE webhook_endpoint ADD COLUMN previous_at timestamptz(6);
