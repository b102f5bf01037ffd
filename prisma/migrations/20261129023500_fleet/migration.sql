-- What each server reports of itself. Servers of earlier versions leave the columns empty, and delete rows after a minute.
ALTER TABLE server_process
  ADD COLUMN address text,
  ADD COLUMN version text,
  ADD COLUMN schema text,
  ADD COLUMN not_ready text,
  ADD COLUMN job_count integer,
  ADD COLUMN failing_jobs text[],
  ADD COLUMN clock_ahead_ms integer,
  ADD COLUMN stopped_at timestamptz;
