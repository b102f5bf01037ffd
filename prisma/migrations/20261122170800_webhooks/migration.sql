-- Addresses that an account wants to be called at. The secret is encrypted with a key of AUTH_SECRET, so that a copy of the
-- database cannot sign. After a rotation the previous secret signs too, until `previous_until`.
CREATE TABLE webhook_endpoint (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  url text NOT NULL,
  events text[] CHECK (events IS NOT NULL AND cardinality(events) > 0),
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_endpoint_account_id_idx ON webhook_endpoint (account_id);

-- Messages to endpoints. A row is written in the transaction that causes it, once per endpoint and source.
CREATE TABLE webhook_delivery (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoint (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  type text NOT NULL,
  source text NOT NULL,
  -- The exact JSON that is signed.
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- When it is sent next. Null once it was delivered or given up.
  next_at timestamptz DEFAULT now(),
  sent_at timestamptz,
  tried_at timestamptz,
  -- The receiver's status of the last attempt, or why there was none.
  last_status integer,
  last_fault text
);
CREATE UNIQUE INDEX webhook_delivery_endpoint_id_source_key ON webhook_delivery (endpoint_id, source);
CREATE INDEX webhook_delivery_next_at_idx ON webhook_delivery (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_delivery_account_id_created_at_idx ON webhook_delivery (account_id, created_at);
CREATE INDEX webhook_delivery_created_at_idx ON webhook_delivery (created_at);
