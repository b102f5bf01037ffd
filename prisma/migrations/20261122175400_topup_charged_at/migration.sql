-- When Stripe was last asked to charge the card of an automatic top-up. The next one is ten minutes later or more.
ALTER TABLE topup ADD COLUMN charged_at timestamptz;
