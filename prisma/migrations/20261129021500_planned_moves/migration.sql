-- A planned move is announced so many days before, and made on its day. Rows of earlier versions have no days, and nothing moves by them.
ALTER TABLE alias_announcement
  ADD COLUMN notice_days smallint CHECK (notice_days >= 0),
  ADD COLUMN announced_at timestamptz,
  ADD COLUMN ended_at timestamptz;
