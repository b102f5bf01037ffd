-- Who last replaced the secret of a key. Null: nobody, the operator's command, or somebody before this release.
ALTER TABLE api_key ADD COLUMN replaced_by uuid REFERENCES app_user;
