-- Mails to people who lose access in the transaction that queues them: removed from an account, account closed, user deleted. Their
-- address is no longer stored elsewhere, so the row has it. Deleted once sent, and 23 hours after its cause in any case.
CREATE TABLE farewell_mail (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  address text NOT NULL,
  kind text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz DEFAULT now()
);
