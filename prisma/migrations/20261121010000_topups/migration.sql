-- Who pays at Stripe for an account: Stripe's own customer object keeps tax ids and billing details.
ALTER TABLE account ADD COLUMN stripe_customer_id text UNIQUE;

-- One purchase of credit. Amount and account always come from this row; what Stripe said of it is copied into it.
CREATE TABLE topup (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  user_id uuid NOT NULL REFERENCES app_user,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL DEFAULT 'created' CHECK (status IN ('created', 'open', 'processing', 'paid', 'failed', 'expired')),
  session_id text UNIQUE,
  checkout_url text,
  payment_intent_id text UNIQUE,
  paid_cents integer CHECK (paid_cents >= amount_cents),
  refund_debit_cents integer NOT NULL DEFAULT 0 CHECK (refund_debit_cents >= 0),
  dispute_debit_cents integer NOT NULL DEFAULT 0 CHECK (dispute_debit_cents >= 0),
  receipt_url text,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'paid') = (paid_cents IS NOT NULL)),
  CHECK (refund_debit_cents + dispute_debit_cents <= amount_cents),
  CHECK (status = 'paid' OR refund_debit_cents + dispute_debit_cents = 0)
);
CREATE INDEX topup_account_id_created_at_idx ON topup (account_id, created_at);
CREATE INDEX topup_unsettled ON topup (checked_at) WHERE status IN ('created', 'open', 'processing');

-- How far the poller has read Stripe's list of events, for those that never reached us.
CREATE TABLE stripe_event_cursor (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  read_until timestamptz NOT NULL
);
