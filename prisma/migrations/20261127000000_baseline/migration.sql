-- The database as version 0.1.0 left it. Later migrations change it; prisma/functions has the later versions of the functions.
-- Lock order everywhere: account, then key, then hold. Time is read after the locks. No transaction spans a model call.

-- Money is integer pico-USD (10^-12 USD) in bigint. A price of P micro-USD per million tokens is P pico-USD per token. Every request
-- updates the row: vacuum visits it sooner, so that its updates find room in its page.
CREATE TABLE account (
  id uuid PRIMARY KEY,
  balance_pico bigint NOT NULL DEFAULT 0 CHECK (balance_pico BETWEEN -9000000000000000000 AND 9000000000000000000),
  held_pico bigint NOT NULL DEFAULT 0 CHECK (held_pico >= 0),
  requests_per_second integer NOT NULL DEFAULT 20,
  requests_per_second_per_key integer NOT NULL DEFAULT 10,
  created_at timestamptz NOT NULL DEFAULT now(),
  stripe_customer_id text UNIQUE,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closed')),
  name text CHECK (char_length(name) BETWEEN 1 AND 64),
  low_balance_pico bigint,
  balance_level text NOT NULL DEFAULT 'unknown' CHECK (balance_level IN ('unknown', 'ok', 'low', 'negative')),
  named_after uuid,
  CONSTRAINT account_rates_check CHECK (requests_per_second > 0 AND requests_per_second_per_key > 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

CREATE TABLE app_user (
  id uuid PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email)) UNIQUE,
  email_verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  erased_at timestamptz,
  past_emails text[] DEFAULT '{}'
);

CREATE TABLE member (
  account_id uuid REFERENCES account,
  user_id uuid REFERENCES app_user,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'billing', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  answer_read_at timestamptz,
  first_steps_hidden_at timestamptz,
  chosen_at timestamptz,
  muted_mail text[] DEFAULT '{}',
  PRIMARY KEY (account_id, user_id)
);
CREATE INDEX member_user_id_idx ON member (user_id);

CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  kind text NOT NULL DEFAULT 'secret' CHECK (kind IN ('secret', 'playground')),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  masked text,
  secret_sha256 bytea UNIQUE,
  limit_pico bigint CHECK (limit_pico > 0),
  limit_period text CHECK (limit_period IN ('daily', 'lifetime')),
  period_start timestamptz NOT NULL DEFAULT '-infinity',
  spent_pico bigint NOT NULL DEFAULT 0 CHECK (spent_pico >= 0),
  held_pico bigint NOT NULL DEFAULT 0 CHECK (held_pico >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by uuid REFERENCES app_user,
  paused_at timestamptz,
  note text,
  mailed_percent smallint NOT NULL DEFAULT 0,
  mailed_period timestamptz,
  expiry_mailed_days smallint,
  CONSTRAINT api_key_check3 CHECK (limit_pico IS NULL OR spent_pico + held_pico <= limit_pico),
  CONSTRAINT api_key_limit_check CHECK ((limit_pico IS NULL) = (limit_period IS NULL)),
  CONSTRAINT api_key_masked_check CHECK ((secret_sha256 IS NULL) = (masked IS NULL)),
  CONSTRAINT api_key_secret_check CHECK ((kind = 'secret') = (secret_sha256 IS NOT NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
CREATE INDEX api_key_account_id_idx ON api_key (account_id);
CREATE UNIQUE INDEX api_key_one_playground ON api_key (account_id) WHERE kind = 'playground';

CREATE TABLE tokenizer (
  fingerprint text PRIMARY KEY CHECK (fingerprint ~ '^sha256:[0-9a-f]{64}$'),
  tokenizer_json bytea NOT NULL,
  config_json bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A pinned id never changes meaning: what it runs is filled in once, then fixed.
CREATE TABLE model (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9._-]{0,127}$'),
  kind text NOT NULL CHECK (kind IN ('alias', 'pinned')),
  target_id text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'retired')),
  replacement_id text,
  price_pico bigint CHECK (price_pico BETWEEN 0 AND 100000000000),
  max_questions integer NOT NULL DEFAULT 128 CHECK (max_questions BETWEEN 1 AND 128),
  max_options integer NOT NULL DEFAULT 255 CHECK (max_options BETWEEN 1 AND 255),
  max_levels integer NOT NULL DEFAULT 10 CHECK (max_levels BETWEEN 1 AND 10),
  max_body_bytes integer NOT NULL DEFAULT 29360128 CHECK (max_body_bytes BETWEEN 1 AND 29360128),
  engine text CHECK (engine IN ('lexical', 'system-one', 'labels')),
  engine_url text,
  engine_model text,
  engine_build text,
  tokenizer text,
  prompt_template text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  pinned_facts jsonb CHECK (jsonb_typeof(pinned_facts) = 'object'),
  CONSTRAINT model_check CHECK ((kind = 'alias') = (target_id IS NOT NULL)),
  CONSTRAINT model_check1 CHECK ((kind = 'pinned') = (engine IS NOT NULL)),
  CONSTRAINT model_check3 CHECK (kind = 'pinned' OR status = 'active'),
  CONSTRAINT model_check4 CHECK (status = 'retired' OR replacement_id IS NULL),
  CONSTRAINT model_engine_url_check CHECK ((engine IN ('system-one', 'labels')) = (engine_url IS NOT NULL)),
  FOREIGN KEY (replacement_id) REFERENCES model,
  FOREIGN KEY (target_id) REFERENCES model
);

-- Divided by day, by the time in the id.
CREATE TABLE hold (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  model_id text NOT NULL,
  price_pico bigint NOT NULL CHECK (price_pico BETWEEN 0 AND 100000000000),
  max_tokens bigint NOT NULL CHECK (max_tokens >= 0),
  amount_pico bigint GENERATED ALWAYS AS (price_pico * max_tokens) STORED,
  state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'captured', 'voided', 'expired')),
  tokens bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  resolved_at timestamptz,
  CONSTRAINT hold_check CHECK (tokens >= 0 AND tokens <= max_tokens),
  CONSTRAINT hold_check1 CHECK ((state = 'captured') = (tokens IS NOT NULL)),
  CONSTRAINT hold_check2 CHECK ((state = 'held') = (resolved_at IS NULL)),
  CONSTRAINT hold_account_id_fkey1 FOREIGN KEY (account_id) REFERENCES account,
  CONSTRAINT hold_key_id_fkey1 FOREIGN KEY (key_id) REFERENCES api_key,
  CONSTRAINT hold_model_id_fkey1 FOREIGN KEY (model_id) REFERENCES model
) PARTITION BY RANGE (id);

-- Credit that a process reserved for many requests of one key. Its amount is that of the open hold with its id.
CREATE TABLE credit_grant (
  hold_id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  key_id uuid NOT NULL REFERENCES api_key,
  unused_pico bigint NOT NULL CHECK (unused_pico >= 0),
  recalled_at timestamptz(6)
);
CREATE INDEX credit_grant_account_id_idx ON credit_grant (account_id);

CREATE SEQUENCE ledger_entry_number;
CREATE TABLE ledger_entry (
  id bigint DEFAULT nextval('ledger_entry_number'),
  account_id uuid,
  kind text NOT NULL CHECK (kind IN ('charge', 'welcome', 'credit', 'debit', 'topup', 'refund', 'dispute')),
  amount_pico bigint NOT NULL,
  balance_after_pico bigint NOT NULL,
  hold_id uuid,
  source text,
  note text,
  key_id uuid,
  model_id text,
  tokens bigint,
  price_pico bigint,
  latency_ms integer,
  noul_count integer,
  choice_count integer,
  score_count integer,
  created_at timestamptz DEFAULT clock_timestamp(),
  question_counts jsonb,
  PRIMARY KEY (account_id, id, created_at),
  CONSTRAINT ledger_entry_check CHECK ((kind = 'charge') = (hold_id IS NOT NULL)),
  CONSTRAINT ledger_entry_check1 CHECK ((kind = 'charge') = (source IS NULL)),
  CONSTRAINT ledger_entry_check2 CHECK (kind <> 'charge' OR (amount_pico <= 0 AND amount_pico = -(tokens * price_pico))),
  CONSTRAINT ledger_entry_account_id_fkey1 FOREIGN KEY (account_id) REFERENCES account,
  CONSTRAINT ledger_entry_key_id_fkey1 FOREIGN KEY (key_id) REFERENCES api_key,
  CONSTRAINT ledger_entry_model_id_fkey1 FOREIGN KEY (model_id) REFERENCES model
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE ledger_entry_number OWNED BY ledger_entry.id;
CREATE INDEX ledger_entry_but_charges ON ledger_entry (account_id, id) WHERE kind <> 'charge';
CREATE INDEX ledger_entry_key_id_model_id_created_at_idx ON ledger_entry (key_id, model_id, created_at);

-- Holds that were charged. Divided by its key, so the key is unique in all partitions.
CREATE TABLE charged_hold (hold_id uuid PRIMARY KEY) PARTITION BY RANGE (hold_id);

CREATE TABLE ledger_source (
  source text PRIMARY KEY,
  account_id uuid NOT NULL,
  entry_id bigint NOT NULL,
  created_at timestamptz NOT NULL
);

-- What a request with an Idempotency-Key left behind. While it runs, the row is its claim on the key and `hold_id` is null. Nothing
-- that the client sent is stored: the key is hashed, the body is hashed with a secret.
CREATE TABLE idempotency_key (
  account_id uuid REFERENCES account,
  key_sha256 bytea CHECK (octet_length(key_sha256) = 32),
  body_hmac bytea NOT NULL CHECK (octet_length(body_hmac) = 32),
  request_id uuid,
  leased_until timestamptz,
  hold_id uuid,
  model_id text,
  computed_again integer NOT NULL DEFAULT 0 CHECK (computed_again BETWEEN 0 AND 5),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key_sha256),
  CONSTRAINT idempotency_key_check CHECK ((request_id IS NULL) = (leased_until IS NULL)),
  CONSTRAINT idempotency_key_check1 CHECK ((hold_id IS NULL) = (model_id IS NULL)),
  CONSTRAINT idempotency_key_check2 CHECK (hold_id IS NOT NULL OR request_id IS NOT NULL)
);
CREATE INDEX idempotency_key_expires_at_idx ON idempotency_key (expires_at);

CREATE TABLE topup (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  user_id uuid NOT NULL REFERENCES app_user,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL DEFAULT 'created' CHECK (status IN ('created', 'open', 'processing', 'paid', 'failed', 'expired')),
  session_id text UNIQUE,
  checkout_url text,
  payment_intent_id text UNIQUE,
  paid_cents integer,
  refund_debit_cents integer NOT NULL DEFAULT 0 CHECK (refund_debit_cents >= 0),
  dispute_debit_cents integer NOT NULL DEFAULT 0 CHECK (dispute_debit_cents >= 0),
  receipt_url text,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz NOT NULL DEFAULT now(),
  is_automatic boolean NOT NULL DEFAULT false,
  payment_method_id text,
  saves_card boolean NOT NULL DEFAULT false,
  charged_at timestamptz,
  CONSTRAINT topup_check CHECK (paid_cents >= amount_cents),
  CONSTRAINT topup_check1 CHECK ((status = 'paid') = (paid_cents IS NOT NULL)),
  CONSTRAINT topup_check2 CHECK (refund_debit_cents + dispute_debit_cents <= amount_cents),
  CONSTRAINT topup_check3 CHECK (status = 'paid' OR refund_debit_cents + dispute_debit_cents = 0)
);
CREATE INDEX topup_account_id_created_at_idx ON topup (account_id, created_at);
CREATE UNIQUE INDEX topup_one_automatic ON topup (account_id) WHERE is_automatic AND status IN ('created', 'processing');
CREATE INDEX topup_unsettled ON topup (checked_at) WHERE status IN ('created', 'open', 'processing');

CREATE TABLE saved_card (
  payment_method_id text PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  user_id uuid REFERENCES app_user,
  brand text NOT NULL,
  last4 text NOT NULL,
  exp_month smallint NOT NULL,
  exp_year smallint NOT NULL,
  entered_at timestamptz NOT NULL,
  removed_at timestamptz,
  detached_at timestamptz
);
CREATE INDEX saved_card_account_id_idx ON saved_card (account_id);
CREATE UNIQUE INDEX saved_card_in_use ON saved_card (account_id) WHERE removed_at IS NULL;
CREATE INDEX saved_card_to_detach ON saved_card (removed_at) WHERE removed_at IS NOT NULL AND detached_at IS NULL;
CREATE INDEX saved_card_user_id_idx ON saved_card (user_id);

CREATE TABLE account_anchor (
  account_id uuid PRIMARY KEY,
  entry_id bigint NOT NULL,
  balance_pico bigint NOT NULL,
  charged_pico numeric NOT NULL
);

CREATE TABLE account_token (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  name text NOT NULL,
  masked text NOT NULL,
  secret_sha256 bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX account_token_account_id_idx ON account_token (account_id);
CREATE UNIQUE INDEX account_token_secret_sha256_key ON account_token (secret_sha256);

CREATE TABLE alias_announcement (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  alias_id text NOT NULL REFERENCES model,
  to_id text NOT NULL REFERENCES model,
  moves_on date NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE alias_move (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  alias_id text NOT NULL REFERENCES model,
  from_id text REFERENCES model,
  to_id text NOT NULL REFERENCES model,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE alias_use (
  alias_id text,
  account_id uuid,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (alias_id, account_id)
);

CREATE SEQUENCE audit_event_number;
CREATE TABLE audit_event (
  id bigint DEFAULT nextval('audit_event_number'),
  account_id uuid,
  actor text NOT NULL,
  action text NOT NULL,
  subject text,
  client_address text,
  created_at timestamptz DEFAULT clock_timestamp(),
  detail text,
  PRIMARY KEY (id, created_at),
  CONSTRAINT audit_event_account_id_fkey1 FOREIGN KEY (account_id) REFERENCES account
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE audit_event_number OWNED BY audit_event.id;
CREATE INDEX audit_event_account_id_id_idx ON audit_event (account_id, id);

CREATE TABLE auto_topup (
  account_id uuid PRIMARY KEY REFERENCES account,
  state text NOT NULL CHECK (state IN ('off', 'on', 'paused')),
  pause_reason text CHECK (pause_reason IN ('authentication', 'declined', 'refused', 'dispute')),
  threshold_cents integer NOT NULL CHECK (threshold_cents >= 0),
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  cap_cents integer NOT NULL,
  capped_in date,
  CONSTRAINT auto_topup_check CHECK (cap_cents >= amount_cents),
  CONSTRAINT auto_topup_check1 CHECK ((state = 'paused') = (pause_reason IS NOT NULL))
);
CREATE INDEX auto_topup_on ON auto_topup (account_id) WHERE state = 'on';

CREATE TABLE backup (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  taken_at timestamptz NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  schema text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE email_change (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user,
  new_email text NOT NULL CHECK (new_email = lower(new_email)),
  old_token_hash text NOT NULL,
  new_token_hash text NOT NULL,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX email_change_created_at_idx ON email_change (created_at);
CREATE UNIQUE INDEX email_change_new_token_hash_key ON email_change (new_token_hash);
CREATE UNIQUE INDEX email_change_old_token_hash_key ON email_change (old_token_hash);
CREATE UNIQUE INDEX email_change_pending_idx ON email_change (user_id) WHERE ended_at IS NULL;

CREATE TABLE engine_use (
  process_id text,
  engine_url text,
  used integer NOT NULL CHECK (used >= 0),
  is_wide boolean NOT NULL,
  seen_at timestamptz(6) NOT NULL,
  PRIMARY KEY (process_id, engine_url)
);

-- Mails to people who lose access. Their address is no longer stored elsewhere, so the row has it.
CREATE TABLE farewell_mail (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  address text NOT NULL,
  kind text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz DEFAULT now()
);

CREATE TABLE invitation (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  email text NOT NULL CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'billing', 'viewer')),
  invited_by uuid NOT NULL REFERENCES app_user,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT invitation_check CHECK (accepted_at IS NULL OR revoked_at IS NULL)
);
CREATE UNIQUE INDEX invitation_open_idx ON invitation (account_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;

CREATE TABLE invitation_mail (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL,
  email text NOT NULL,
  client_address text,
  sent_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX invitation_mail_sent_at_idx ON invitation_mail (sent_at);

CREATE TABLE job_mark (
  name text PRIMARY KEY,
  done_until timestamptz NOT NULL
);

CREATE TABLE key_anchor (
  key_id uuid PRIMARY KEY,
  spent_pico bigint NOT NULL,
  period_start timestamptz NOT NULL
);

CREATE TABLE known_browser (
  user_id uuid REFERENCES app_user,
  token_sha256 bytea,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, token_sha256)
);
CREATE INDEX known_browser_seen_at_idx ON known_browser (seen_at);

-- The checks of the whole ledger, as requested by operators. A row without `finished_at` waits or runs.
CREATE TABLE ledger_check (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  checks jsonb
);
CREATE INDEX ledger_check_open_idx ON ledger_check (id) WHERE finished_at IS NULL;

-- Moments at which the ledger was found sound. The signature covers the time and `digest`, that of the anchors.
CREATE TABLE ledger_checkpoint (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  checked_at timestamptz NOT NULL,
  since timestamptz,
  digest text NOT NULL,
  signature text NOT NULL
);

-- Keyed hashes of addresses that had a user before. They get no second welcome credit.
CREATE TABLE past_address (
  address_hmac bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Mails that wait to be sent. A row holds facts, never a text, an address or a link. `next_at` is null once it was sent or given up.
CREATE TABLE queued_mail (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  user_id uuid NOT NULL REFERENCES app_user,
  kind text NOT NULL,
  source text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz DEFAULT now(),
  sent_at timestamptz
);
CREATE INDEX queued_mail_created_at_idx ON queued_mail (created_at);
CREATE INDEX queued_mail_next_at_idx ON queued_mail (next_at) WHERE next_at IS NOT NULL;
CREATE UNIQUE INDEX queued_mail_user_id_source_key ON queued_mail (user_id, source);

-- What did not end in a 200, once a key was accepted. No content; the last second may be lost in a crash.
CREATE TABLE request_event (
  id uuid,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  model_id text,
  status integer NOT NULL,
  code text NOT NULL,
  latency_ms integer NOT NULL,
  created_at timestamptz,
  PRIMARY KEY (id, created_at),
  CONSTRAINT request_event_account_id_fkey1 FOREIGN KEY (account_id) REFERENCES account,
  CONSTRAINT request_event_key_id_fkey1 FOREIGN KEY (key_id) REFERENCES api_key
) PARTITION BY RANGE (created_at);
CREATE INDEX request_event_account_id_created_at_idx ON request_event (account_id, created_at);
CREATE INDEX request_event_key_id_code_created_at_idx ON request_event (key_id, code, created_at);

CREATE TABLE session (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  user_id uuid NOT NULL REFERENCES app_user,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  browser text,
  client_address text,
  confirmed_at timestamptz,
  account_id uuid REFERENCES account
);
CREATE INDEX session_user_id_idx ON session (user_id);

CREATE TABLE sign_in_token (
  token_hash text PRIMARY KEY,
  email text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  client_address text,
  networks text[] DEFAULT ARRAY[]::text[],
  session_id uuid
);
CREATE INDEX sign_in_token_client_address_idx ON sign_in_token (client_address);
CREATE INDEX sign_in_token_created_at_idx ON sign_in_token (created_at);
CREATE INDEX sign_in_token_email_idx ON sign_in_token (email);
CREATE INDEX sign_in_token_networks_idx ON sign_in_token USING gin (networks);

CREATE TABLE status_sum (
  component text,
  unit text CHECK (unit IN ('minute', 'day')),
  start timestamptz,
  samples integer NOT NULL CHECK (samples > 0),
  failures integer NOT NULL,
  PRIMARY KEY (unit, start, component),
  CONSTRAINT status_sum_check CHECK (failures >= 0 AND failures <= samples)
);

CREATE TABLE stripe_event_cursor (
  only_row boolean DEFAULT true PRIMARY KEY CHECK (only_row),
  read_until timestamptz NOT NULL
);

CREATE TABLE usage_error (
  account_id uuid,
  unit text CHECK (unit IN ('hour', 'day')),
  start timestamptz,
  key_id uuid,
  model_id text,
  code text,
  status integer,
  requests bigint NOT NULL,
  PRIMARY KEY (account_id, unit, start, key_id, model_id, code, status)
);
CREATE INDEX usage_error_account_id_unit_key_id_start_idx ON usage_error (account_id, unit, key_id, start);
CREATE INDEX usage_error_account_id_unit_model_id_start_idx ON usage_error (account_id, unit, model_id, start);

CREATE TABLE usage_mark (
  account_id uuid PRIMARY KEY REFERENCES account,
  entry_id bigint NOT NULL DEFAULT 0
);

-- The zero UUID stands for all keys, * for all models. With room on its page, an updated row stays there and no index changes.
CREATE TABLE usage_sum (
  account_id uuid,
  unit text CHECK (unit IN ('hour', 'day')),
  start timestamptz,
  key_id uuid,
  model_id text,
  decisions bigint NOT NULL,
  tokens bigint NOT NULL,
  cost_pico bigint NOT NULL,
  latencies numeric NOT NULL DEFAULT 0,
  question_counts jsonb NOT NULL,
  latency_counts bigint[],
  PRIMARY KEY (account_id, unit, start, key_id, model_id)
) WITH (fillfactor = 70);
CREATE INDEX usage_sum_account_id_unit_key_id_start_idx ON usage_sum (account_id, unit, key_id, start);
CREATE INDEX usage_sum_account_id_unit_model_id_start_idx ON usage_sum (account_id, unit, model_id, start);

-- The secret is encrypted with a key of AUTH_SECRET, so that a copy of the database cannot sign.
CREATE TABLE webhook_endpoint (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  url text NOT NULL,
  events text[] CHECK (events IS NOT NULL AND cardinality(events) > 0),
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_endpoint_account_id_idx ON webhook_endpoint (account_id);

CREATE TABLE webhook_delivery (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoint,
  type text NOT NULL,
  source text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz DEFAULT now(),
  sent_at timestamptz,
  tried_at timestamptz,
  last_status integer,
  last_fault text
);
CREATE INDEX webhook_delivery_account_id_created_at_idx ON webhook_delivery (account_id, created_at);
CREATE INDEX webhook_delivery_created_at_idx ON webhook_delivery (created_at);
CREATE UNIQUE INDEX webhook_delivery_endpoint_id_source_key ON webhook_delivery (endpoint_id, source);
CREATE INDEX webhook_delivery_next_at_idx ON webhook_delivery (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE write_check (
  only_row boolean DEFAULT true PRIMARY KEY CHECK (only_row),
  checked_at timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE account ADD CONSTRAINT account_named_after_fkey FOREIGN KEY (named_after) REFERENCES app_user;

-- What the tables call. Every other function is in prisma/functions.
-- Trigger: entries are never changed or removed. A correction is another entry.
CREATE OR REPLACE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'ledger_entry is append-only'; END $$;
-- Trigger after each insert into ledger_entry. A charge needs an existing hold that was not charged before, any other entry a new
-- source. The primary keys of charged_hold and ledger_source enforce that, because ledger_entry is divided by month and its own
-- indexes are unique within one month only.
CREATE OR REPLACE FUNCTION note_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.hold_id IS NULL THEN
    INSERT INTO ledger_source (source, account_id, entry_id, created_at) VALUES (NEW.source, NEW.account_id, NEW.id, NEW.created_at);
  ELSE
    INSERT INTO charged_hold (hold_id) SELECT id FROM hold WHERE id = NEW.hold_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'hold % of a charge does not exist', NEW.hold_id USING ERRCODE = 'foreign_key_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
-- Trigger: a captured hold is not deleted and keeps its id for seven days, because a retry of its capture may need it.
CREATE OR REPLACE FUNCTION captured_hold_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'captured hold % stays for seven days', OLD.id USING ERRCODE = 'foreign_key_violation';
END $$;
-- Trigger: audit events are never removed. audit_keeps_events refuses changes.
CREATE OR REPLACE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'audit_event is append-only'; END $$;
-- Trigger: an audit event never changes, except that its client address can be erased, with or without its detail.
CREATE OR REPLACE FUNCTION audit_keeps_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.client_address IS NULL AND (NEW.detail IS NULL OR NEW.detail = OLD.detail)
    AND to_jsonb(NEW) - '{client_address,detail}'::text[] = to_jsonb(OLD) - '{client_address,detail}'::text[] THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit_event is append-only';
END $$;
-- Trigger: a pinned id never changes meaning. What it runs is filled in once and fixed from then on.
CREATE OR REPLACE FUNCTION model_is_pinned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.kind) IS DISTINCT FROM (NEW.id, NEW.kind)
    OR OLD.engine IS DISTINCT FROM NEW.engine
    OR (OLD.engine_model IS NOT NULL AND OLD.engine_model IS DISTINCT FROM NEW.engine_model)
    OR (OLD.engine_build IS NOT NULL AND OLD.engine_build IS DISTINCT FROM NEW.engine_build)
    OR (OLD.pinned_facts IS NOT NULL AND (NEW.pinned_facts @> OLD.pinned_facts) IS NOT TRUE)
    OR (OLD.tokenizer IS NOT NULL AND OLD.tokenizer IS DISTINCT FROM NEW.tokenizer)
    OR (OLD.prompt_template IS NOT NULL AND OLD.prompt_template IS DISTINCT FROM NEW.prompt_template)
  THEN
    RAISE EXCEPTION 'model % is pinned: engine, model, build, weights, tokenizer and template never change', OLD.id;
  END IF;
  RETURN NEW;
END $$;
-- Trigger on `app_user`: a changed address stays in `past_emails`, so that deleting the user erases it everywhere. Deleting empties it.
CREATE OR REPLACE FUNCTION past_email_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.past_emails := CASE WHEN NEW.erased_at IS NULL THEN array_append(array_remove(OLD.past_emails, OLD.email), OLD.email) ELSE '{}' END;
  RETURN NEW;
END $$;
-- Trigger: counts the request events that a statement inserted. Events come in batches, away from the requests themselves.
-- Events of one hour are counted first, so that what follows has fewer rows.
CREATE OR REPLACE FUNCTION sum_request_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_request_counts(array_agg(account_id), array_agg(key_id), array_agg(model_id), array_agg(status), array_agg(code),
    array_agg(hour), array_agg(n))
  FROM (
    SELECT account_id, key_id, model_id, status, code, date_trunc('hour', created_at, 'UTC') AS hour, count(*) AS n
    FROM added GROUP BY 1, 2, 3, 4, 5, 6
  ) AS counted;
  RETURN NULL;
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER noted AFTER INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION note_ledger_entry();
CREATE TRIGGER append_only BEFORE TRUNCATE ON hold EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER stays BEFORE DELETE OR UPDATE OF id ON hold FOR EACH ROW
  WHEN (OLD.state = 'captured' AND OLD.resolved_at > now() - interval '7 days') EXECUTE FUNCTION captured_hold_stays();
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON audit_event EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER keeps_events BEFORE UPDATE ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_keeps_events();
CREATE TRIGGER pinned BEFORE UPDATE ON model FOR EACH ROW EXECUTE FUNCTION model_is_pinned();
CREATE TRIGGER keeps_past_email BEFORE UPDATE OF email ON app_user FOR EACH ROW
  WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION past_email_is_kept();
CREATE TRIGGER summed AFTER INSERT ON request_event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sum_request_events();

-- The ledger's clock, read after the locks. Tests replace it, for example to cross midnight with open holds.
CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() $$;
-- The smallest id that can have been created at this time: ids begin with the milliseconds since 1970.
CREATE OR REPLACE FUNCTION first_id_at(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(greatest(0, floor(extract(epoch FROM at) * 1000))::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
-- The partitioned tables, what one partition holds, and how far ahead partitions are created. Holds are kept for a week, so they are
-- divided by day: dropping a day removes its holds without deleting row by row.
CREATE OR REPLACE FUNCTION partitioned_tables() RETURNS TABLE (parent text, unit text, step interval, ahead interval)
LANGUAGE sql IMMUTABLE AS $$
  VALUES ('ledger_entry', 'month', interval '1 month', interval '2 months'), ('request_event', 'month', interval '1 month', interval '2 months'),
    ('audit_event', 'month', interval '1 month', interval '2 months'), ('hold', 'day', interval '1 day', interval '3 days'),
    ('charged_hold', 'day', interval '1 day', interval '3 days')
$$;
-- The partitions of a table without its default partition, and whether each holds rows of this time. `since` is the start in its
-- name, or -infinity for the table that existed before there were partitions.
CREATE OR REPLACE FUNCTION partitions_of(wanted text, at timestamptz) RETURNS TABLE (name text, since timestamptz, has_time boolean)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE child regclass;
BEGIN
  FOR child IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = wanted::regclass LOOP
    name := child::text;
    CONTINUE WHEN name = wanted || '_default';
    since := coalesce(to_timestamp(substring(name FROM '_(\d{4}_\d{2}(?:_\d{2})?)$'), 'YYYY_MM_DD'), '-infinity');
    EXECUTE format('SELECT %s FROM (SELECT $1 AS created_at, $2 AS id, $2 AS hold_id) AS value', pg_get_partition_constraintdef(child))
      INTO has_time USING at, first_id_at(at);
    RETURN NEXT;
  END LOOP;
END $$;
-- The partitions that should exist by now and do not.
CREATE OR REPLACE FUNCTION missing_partitions() RETURNS TABLE (parent text, since timestamptz, until timestamptz)
LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT t.parent, s.since, s.since + t.step
  FROM partitioned_tables() AS t, date_trunc(t.unit, ledger_now()) AS today, generate_series(today, today + t.ahead, t.step) AS s(since)
  WHERE NOT EXISTS (SELECT FROM partitions_of(t.parent, s.since) WHERE has_time)
  ORDER BY s.since
$$;
-- Creates a table's partition for the times from `since` until `until`, which is excluded; without them, the default partition
-- for all other times. Returns its name. Requests wait for the locks that this takes, so the caller limits how long it waits.
CREATE OR REPLACE FUNCTION add_partition(parent text, since timestamptz, until timestamptz) RETURNS text
LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  is_daily boolean := parent IN ('hold', 'charged_hold');
  name text := parent || CASE WHEN since IS NULL THEN '_default' ELSE to_char(since, CASE WHEN is_daily THEN '_YYYY_MM_DD' ELSE '_YYYY_MM' END) END;
  bounds text := CASE WHEN since IS NULL THEN 'DEFAULT'
    WHEN is_daily THEN format('FOR VALUES FROM (%L) TO (%L)', first_id_at(since), first_id_at(until))
    ELSE format('FOR VALUES FROM (%L) TO (%L)', since, until) END;
  -- A page of holds keeps room for their updates. Inserts into a daily table start no vacuum: a day is dropped before its rows have
  -- to be frozen. Rows of the other tables hardly ever change, so vacuum freezes them the first time it reads them.
  options text := CASE parent WHEN 'hold' THEN 'fillfactor = 75, autovacuum_vacuum_insert_threshold = -1'
    WHEN 'charged_hold' THEN 'autovacuum_vacuum_insert_threshold = -1'
    ELSE 'autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_freeze_min_age = 0' END;
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (%s)', name, parent, options);
  IF parent = 'ledger_entry' THEN
    -- Entries are nearly in the order of their times and of their requests, so a summary of every 32 pages finds them.
    EXECUTE format('CREATE INDEX ON %I USING brin (created_at, hold_id) WITH (pages_per_range = 32, autosummarize)', name);
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I EXECUTE FUNCTION ledger_is_append_only()', name);
  ELSIF parent = 'audit_event' THEN
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I EXECUTE FUNCTION audit_is_append_only()', name);
  ELSIF parent = 'hold' THEN
    -- The update that ends a hold changes no indexed column.
    EXECUTE format('CREATE INDEX ON %I USING brin (expires_at) WITH (pages_per_range = 32, autosummarize)', name);
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', parent, name, bounds);
  RETURN name;
END $$;

-- The partitions of all times before this month, and their own indexes.
CREATE TABLE ledger_entry_before (LIKE ledger_entry INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT ledger_entry_before_hold_id_key UNIQUE (hold_id),
  CONSTRAINT ledger_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account,
  CONSTRAINT ledger_entry_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key,
  CONSTRAINT ledger_entry_model_id_fkey FOREIGN KEY (model_id) REFERENCES model);
CREATE INDEX ledger_entry_before_account_id_created_at_idx ON ledger_entry_before (account_id, created_at);
CREATE INDEX ledger_entry_before_but_charges ON ledger_entry_before (account_id, id) WHERE kind <> 'charge';
CREATE INDEX ledger_entry_before_time ON ledger_entry_before USING brin (created_at) WITH (pages_per_range = 32, autosummarize);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry_before EXECUTE FUNCTION ledger_is_append_only();
CREATE TABLE request_event_before (LIKE request_event,
  CONSTRAINT request_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES account,
  CONSTRAINT request_event_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key);
CREATE TABLE audit_event_before (LIKE audit_event INCLUDING DEFAULTS,
  CONSTRAINT audit_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES account);
ALTER TABLE ledger_entry_before ALTER id SET DEFAULT NULL;
ALTER TABLE audit_event_before ALTER id SET DEFAULT NULL;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event_before EXECUTE FUNCTION audit_is_append_only();

DO $$
DECLARE parent text; missing record; today timestamptz := date_trunc('day', ledger_now(), 'UTC');
BEGIN
  FOREACH parent IN ARRAY ARRAY['ledger_entry', 'request_event', 'audit_event'] LOOP
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
      parent, parent || '_before', date_trunc('month', today, 'UTC'));
    PERFORM add_partition(parent, NULL, NULL);
  END LOOP;
  FOREACH parent IN ARRAY ARRAY['hold', 'charged_hold'] LOOP
    PERFORM add_partition(parent, NULL, NULL), add_partition(parent, today - interval '1 day', today);
  END LOOP;
  FOR missing IN SELECT * FROM missing_partitions() LOOP
    PERFORM add_partition(missing.parent, missing.since, missing.until);
  END LOOP;
END $$;
