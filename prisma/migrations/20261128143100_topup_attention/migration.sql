-- Why a completed checkout needs the operator, and what the operator did. Its status is 'failed', which version 1.0 knows: nothing
-- was credited, and nothing waits for it.
ALTER TABLE topup
  ADD COLUMN attention text,
  ADD COLUMN resolution text CHECK (resolution IN ('settled', 'ended')),
  ADD CHECK (attention IS NULL OR status = 'failed'),
  ADD CHECK (resolution IS NULL OR attention IS NOT NULL);
