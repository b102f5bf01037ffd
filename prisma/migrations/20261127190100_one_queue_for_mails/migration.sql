-- Mails to people who lose access join the queue of all others. Such a row has the address itself, because nothing else does, and no source.
ALTER TABLE queued_mail
  ALTER COLUMN user_id DROP NOT NULL,
  ALTER COLUMN source DROP NOT NULL,
  ADD COLUMN address text,
  ADD CHECK (num_nonnulls(user_id, address) = 1),
  ADD CHECK ((user_id IS NULL) = (source IS NULL));
INSERT INTO queued_mail (id, account_id, address, kind, facts, created_at, attempts, next_at)
  SELECT id, account_id, address, kind, facts, created_at, attempts, next_at FROM farewell_mail;
DROP TABLE farewell_mail;
