-- Whom an account's statements and Stripe's invoices name. An empty text is not set.
CREATE TABLE billing_details (
  account_id uuid PRIMARY KEY REFERENCES account,
  company text NOT NULL,
  address text NOT NULL,
  vat_id text NOT NULL,
  purchase_order text NOT NULL
);
