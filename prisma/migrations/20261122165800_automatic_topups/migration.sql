-- Cards that owners saved at Stripe. An account has at most one that was not removed, and only that one is charged.
CREATE TABLE saved_card (
  payment_method_id text PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  -- The owner who saved it. Automatic top-up ends when they leave.
  user_id uuid REFERENCES app_user (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  brand text NOT NULL,
  last4 text NOT NULL,
  exp_month smallint NOT NULL,
  exp_year smallint NOT NULL,
  -- When it was entered at Stripe. The latest one wins, in whichever order the events arrive.
  entered_at timestamptz NOT NULL,
  removed_at timestamptz,
  -- When Stripe forgot it too.
  detached_at timestamptz
);
CREATE UNIQUE INDEX saved_card_in_use ON saved_card (account_id) WHERE removed_at IS NULL;
CREATE INDEX saved_card_to_detach ON saved_card (removed_at) WHERE removed_at IS NOT NULL AND detached_at IS NULL;
CREATE INDEX saved_card_account_id_idx ON saved_card (account_id);
CREATE INDEX saved_card_user_id_idx ON saved_card (user_id);

-- The terms of automatic top-up. No row means that no owner ever turned it on.
CREATE TABLE auto_topup (
  account_id uuid PRIMARY KEY REFERENCES account (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  state text NOT NULL CHECK (state IN ('off', 'on', 'paused')),
  pause_reason text CHECK (pause_reason IN ('authentication', 'declined', 'refused', 'dispute')),
  threshold_cents integer NOT NULL CHECK (threshold_cents >= 0),
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  cap_cents integer NOT NULL CHECK (cap_cents >= amount_cents),
  -- The first day of the UTC month in which the cap stops further charges.
  capped_in date,
  CHECK ((state = 'paused') = (pause_reason IS NOT NULL))
);
CREATE INDEX auto_topup_on ON auto_topup (account_id) WHERE state = 'on';

ALTER TABLE topup ADD COLUMN is_automatic boolean NOT NULL DEFAULT false,
  -- The card that an automatic top-up charges.
  ADD COLUMN payment_method_id text,
  -- Whether the checkout also saves the card for automatic top-up.
  ADD COLUMN saves_card boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX topup_one_automatic ON topup (account_id) WHERE is_automatic AND status IN ('created', 'processing');
