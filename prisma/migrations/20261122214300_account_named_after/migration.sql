-- The user whose address names an account without a name. Null: the first owner. Set before the first change of a role, so that a
-- transfer does not rename the account. NOT VALID needs only a short lock; the next migration checks the rows.
ALTER TABLE account ADD COLUMN named_after uuid;
ALTER TABLE account ADD CONSTRAINT account_named_after_fkey
  FOREIGN KEY (named_after) REFERENCES app_user (id) ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;
