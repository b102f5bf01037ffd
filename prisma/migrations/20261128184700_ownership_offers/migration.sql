-- Whether an invitation offers a member the ownership, which its sender then gives up.
ALTER TABLE invitation ADD COLUMN is_transfer boolean NOT NULL DEFAULT false;
