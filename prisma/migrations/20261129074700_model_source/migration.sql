-- The hub's repository, commit and file of a model that the service runs itself: hf:OWNER/REPO@COMMIT:FILE.
ALTER TABLE model ADD COLUMN source text;
