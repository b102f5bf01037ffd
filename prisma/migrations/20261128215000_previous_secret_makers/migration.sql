-- Who made the secret that the last replacement ended or left to its overlap, and when. Null: nobody, or a replacement before this release.
ALTER TABLE api_key ADD COLUMN previous_by uuid REFERENCES app_user;
ALTER TABLE api_key ADD COLUMN previous_at timestamptz(6);
