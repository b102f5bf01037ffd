-- Money is integer pico-USD (10^-12 USD) in bigint. A price of P micro-USD per million tokens is P pico-USD per token.
-- Lock order everywhere: account, then key, then hold. Time is read after the locks. No transaction spans a model call.

CREATE TABLE account (
  id uuid PRIMARY KEY,
  balance_pico bigint NOT NULL DEFAULT 0,
  held_pico bigint NOT NULL DEFAULT 0,
  requests_per_second integer NOT NULL DEFAULT 20,
  requests_per_second_per_key integer NOT NULL DEFAULT 10,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (held_pico >= 0),
  CHECK (balance_pico BETWEEN -9000000000000000000 AND 9000000000000000000),
  CHECK (requests_per_second > 0 AND requests_per_second_per_key > 0)
) WITH (fillfactor = 50);

CREATE TABLE app_user (
  id uuid PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE member (
  account_id uuid NOT NULL REFERENCES account,
  user_id uuid NOT NULL REFERENCES app_user,
  role text NOT NULL CHECK (role IN ('owner', 'developer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, user_id)
);
CREATE INDEX member_user_id_idx ON member (user_id);

CREATE TABLE session (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  user_id uuid NOT NULL REFERENCES app_user,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_user_id_idx ON session (user_id);

CREATE TABLE sign_in_token (
  token_hash text PRIMARY KEY,
  email text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_token_email_idx ON sign_in_token (email);

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
  CHECK ((kind = 'secret') = (secret_sha256 IS NOT NULL)),
  CHECK ((secret_sha256 IS NULL) = (masked IS NULL)),
  CHECK ((limit_pico IS NULL) = (limit_period IS NULL)),
  CHECK (limit_pico IS NULL OR spent_pico + held_pico <= limit_pico)
) WITH (fillfactor = 50);
CREATE INDEX api_key_account_id_idx ON api_key (account_id);
CREATE UNIQUE INDEX api_key_one_playground ON api_key (account_id) WHERE kind = 'playground';

CREATE TABLE model (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9._-]{0,127}$'),
  kind text NOT NULL CHECK (kind IN ('alias', 'pinned')),
  target_id text REFERENCES model,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'retired')),
  replacement_id text REFERENCES model,
  price_pico bigint CHECK (price_pico BETWEEN 0 AND 100000000000),
  max_questions integer NOT NULL DEFAULT 128 CHECK (max_questions BETWEEN 1 AND 128),
  max_options integer NOT NULL DEFAULT 255 CHECK (max_options BETWEEN 1 AND 255),
  max_levels integer NOT NULL DEFAULT 10 CHECK (max_levels BETWEEN 1 AND 10),
  max_body_bytes integer NOT NULL DEFAULT 29360128 CHECK (max_body_bytes BETWEEN 1 AND 29360128),
  engine text CHECK (engine IN ('lexical', 'system-one')),
  engine_url text,
  engine_model text,
  engine_build text,
  tokenizer text,
  prompt_template text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((kind = 'alias') = (target_id IS NOT NULL)),
  CHECK ((kind = 'pinned') = (engine IS NOT NULL)),
  CHECK ((engine = 'system-one') = (engine_url IS NOT NULL)),
  CHECK (kind = 'pinned' OR status = 'active'),
  CHECK (status = 'retired' OR replacement_id IS NULL)
);

-- A pinned id never changes meaning: what it runs is filled in once, then fixed.
CREATE FUNCTION model_is_pinned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.kind) IS DISTINCT FROM (NEW.id, NEW.kind)
    OR OLD.engine IS DISTINCT FROM NEW.engine
    OR (OLD.engine_model IS NOT NULL AND OLD.engine_model IS DISTINCT FROM NEW.engine_model)
    OR (OLD.engine_build IS NOT NULL AND OLD.engine_build IS DISTINCT FROM NEW.engine_build)
    OR (OLD.tokenizer IS NOT NULL AND OLD.tokenizer IS DISTINCT FROM NEW.tokenizer)
    OR (OLD.prompt_template IS NOT NULL AND OLD.prompt_template IS DISTINCT FROM NEW.prompt_template)
  THEN
    RAISE EXCEPTION 'model % is pinned: engine, model, build, tokenizer and template never change', OLD.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER pinned BEFORE UPDATE ON model FOR EACH ROW EXECUTE FUNCTION model_is_pinned();

CREATE TABLE alias_move (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  alias_id text NOT NULL REFERENCES model,
  from_id text REFERENCES model,
  to_id text NOT NULL REFERENCES model,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE hold (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  key_id uuid NOT NULL REFERENCES api_key,
  model_id text NOT NULL REFERENCES model,
  price_pico bigint NOT NULL CHECK (price_pico BETWEEN 0 AND 100000000000),
  max_tokens bigint NOT NULL CHECK (max_tokens >= 0),
  amount_pico bigint GENERATED ALWAYS AS (price_pico * max_tokens) STORED,
  state text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'captured', 'voided', 'expired')),
  tokens bigint CHECK (tokens BETWEEN 0 AND max_tokens),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  resolved_at timestamptz,
  CHECK ((state = 'captured') = (tokens IS NOT NULL)),
  CHECK ((state = 'held') = (resolved_at IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX hold_open ON hold (expires_at) WHERE state = 'held';

-- A charge row is the log of one 200: its hold_id is the request id.
CREATE TABLE ledger_entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  kind text NOT NULL CHECK (kind IN ('charge', 'welcome', 'credit', 'debit', 'topup', 'refund', 'dispute')),
  amount_pico bigint NOT NULL,
  balance_after_pico bigint NOT NULL,
  hold_id uuid UNIQUE REFERENCES hold,
  source text UNIQUE,
  note text,
  key_id uuid REFERENCES api_key,
  model_id text REFERENCES model,
  tokens bigint,
  price_pico bigint,
  latency_ms integer,
  noul_count integer,
  choice_count integer,
  score_count integer,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((kind = 'charge') = (hold_id IS NOT NULL)),
  CHECK ((kind = 'charge') = (source IS NULL)),
  CHECK (kind <> 'charge' OR (amount_pico <= 0 AND amount_pico = -(tokens * price_pico)))
);
CREATE INDEX ledger_entry_account_id_id_idx ON ledger_entry (account_id, id);
CREATE INDEX ledger_entry_account_id_created_at_idx ON ledger_entry (account_id, created_at);

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'ledger_entry is append-only'; END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry EXECUTE FUNCTION ledger_is_append_only();

-- What did not end in a 200, once a key was accepted. No content; the last second may be lost in a crash.
CREATE TABLE request_event (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  key_id uuid NOT NULL REFERENCES api_key,
  model_id text,
  status integer NOT NULL,
  code text NOT NULL,
  latency_ms integer NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX request_event_account_id_created_at_idx ON request_event (account_id, created_at);

CREATE TABLE audit_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid REFERENCES account,
  actor text NOT NULL,
  action text NOT NULL,
  subject text,
  client_address text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX audit_event_account_id_id_idx ON audit_event (account_id, id);

-- The ledger's clock. Tests replace it to cross midnight with holds open.
CREATE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() $$;

-- What a key has spent in its current period, for the statement that decides and for every screen.
CREATE FUNCTION spent_in_period(k api_key, at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN k.limit_period = 'daily' AND k.period_start < date_trunc('day', at, 'UTC') THEN 0 ELSE k.spent_pico END
$$;

-- 'held' | 'revoked' | 'expired_key' | 'key_limit' | 'insufficient'; a replay of the same id answers 'held' again.
CREATE FUNCTION place_hold(
  h uuid, acc uuid, k uuid, model text, price bigint, most bigint,
  ttl interval DEFAULT '150 s', slack bigint DEFAULT 10000000000
) RETURNS TABLE (outcome text, required_pico bigint, available_pico bigint, limit_pico bigint, resets_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE a account; y api_key; t timestamptz; today timestamptz;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true); -- a lost hold only refuses its own capture
  required_pico := price * most;
  SELECT * INTO a FROM account WHERE id = acc FOR NO KEY UPDATE;
  SELECT * INTO y FROM api_key WHERE id = k AND account_id = acc FOR NO KEY UPDATE;
  t := ledger_now(); today := date_trunc('day', t, 'UTC');
  IF EXISTS (SELECT 1 FROM hold WHERE id = h) THEN outcome := 'held'; RETURN NEXT; RETURN; END IF;
  IF y.id IS NULL OR y.revoked_at IS NOT NULL THEN outcome := 'revoked'; RETURN NEXT; RETURN; END IF;
  IF y.expires_at <= t THEN outcome := 'expired_key'; RETURN NEXT; RETURN; END IF;
  y.spent_pico := spent_in_period(y, t);
  IF y.limit_period = 'daily' AND today > y.period_start THEN y.period_start := today; END IF;
  IF y.limit_pico IS NOT NULL AND required_pico > y.limit_pico - y.spent_pico - y.held_pico THEN
    outcome := 'key_limit'; limit_pico := y.limit_pico;
    resets_at := CASE WHEN y.limit_period = 'daily' THEN y.period_start + interval '24 h' END;
    RETURN NEXT; RETURN;
  END IF;
  available_pico := a.balance_pico - a.held_pico;
  IF available_pico <= 0 OR required_pico - available_pico > slack THEN outcome := 'insufficient'; RETURN NEXT; RETURN; END IF;
  UPDATE account SET held_pico = account.held_pico + required_pico WHERE id = acc;
  UPDATE api_key SET held_pico = api_key.held_pico + required_pico, spent_pico = y.spent_pico, period_start = y.period_start
    WHERE id = k;
  INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, created_at, expires_at)
    VALUES (h, acc, k, model, price, most, t, t + ttl);
  outcome := 'held'; RETURN NEXT;
END $$;

-- Moves a hold out of 'held', once; answers the state it then has ('exceeds' when more was used than set aside).
CREATE FUNCTION resolve_hold(
  h uuid, new_state text, used bigint, latency integer, nouls integer, choices integer, scores integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE x hold; y api_key; t timestamptz; today timestamptz; charge bigint; after bigint;
BEGIN
  SELECT * INTO x FROM hold WHERE id = h;
  IF x.id IS NULL THEN RETURN 'unknown'; END IF;
  PERFORM 1 FROM account WHERE id = x.account_id FOR NO KEY UPDATE;
  SELECT * INTO y FROM api_key WHERE id = x.key_id FOR NO KEY UPDATE;
  SELECT * INTO x FROM hold WHERE id = h FOR UPDATE;
  t := ledger_now(); today := date_trunc('day', t, 'UTC');
  IF x.state <> 'held' THEN RETURN x.state; END IF;
  IF new_state = 'expired' AND x.expires_at > t THEN RETURN 'held'; END IF;
  IF new_state = 'captured' AND (used IS NULL OR used < 0) THEN RAISE EXCEPTION 'a capture needs its tokens'; END IF;
  IF new_state = 'captured' AND used > x.max_tokens THEN RETURN 'exceeds'; END IF;
  charge := CASE WHEN new_state = 'captured' THEN x.price_pico * used ELSE 0 END;
  y.spent_pico := spent_in_period(y, t);
  IF y.limit_period = 'daily' AND today > y.period_start THEN y.period_start := today; END IF;
  UPDATE api_key SET held_pico = held_pico - x.amount_pico, spent_pico = y.spent_pico + charge, period_start = y.period_start
    WHERE id = x.key_id;
  UPDATE account SET held_pico = held_pico - x.amount_pico, balance_pico = balance_pico - charge
    WHERE id = x.account_id RETURNING balance_pico INTO after;
  UPDATE hold SET state = new_state, tokens = CASE WHEN new_state = 'captured' THEN used END, resolved_at = t WHERE id = h;
  IF new_state = 'captured' THEN
    INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, key_id, model_id, tokens, price_pico,
        latency_ms, noul_count, choice_count, score_count, created_at)
      VALUES (x.account_id, 'charge', -charge, after, h, x.key_id, x.model_id, used, x.price_pico,
        latency, nouls, choices, scores, t);
  END IF;
  RETURN new_state;
END $$;

-- 'captured' | 'exceeds' | 'unknown' | the state it already has; never charges more than was held.
CREATE FUNCTION capture(h uuid, used bigint, latency integer, nouls integer, choices integer, scores integer)
RETURNS text LANGUAGE sql AS $$ SELECT resolve_hold(h, 'captured', used, latency, nouls, choices, scores) $$;

-- 'voided' | 'expired' | 'unknown' | the state it already has.
CREATE FUNCTION release(h uuid, how text) RETURNS text LANGUAGE sql AS $$
  SELECT resolve_hold(h, CASE how WHEN 'expired' THEN 'expired' ELSE 'voided' END, NULL, NULL, NULL, NULL, NULL)
$$;

-- Credits and debits. The same call again is harmless and answers false; a different one under that source raises.
CREATE FUNCTION post_entry(acc uuid, what text, amount bigint, ref text, why text DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE old ledger_entry; after bigint;
BEGIN
  IF ref IS NULL OR what = 'charge' THEN RAISE EXCEPTION 'a posted entry needs a source and is no charge'; END IF;
  PERFORM 1 FROM account WHERE id = acc FOR NO KEY UPDATE;
  SELECT * INTO old FROM ledger_entry WHERE source = ref;
  IF old.id IS NOT NULL THEN
    IF (old.account_id, old.kind, old.amount_pico) IS DISTINCT FROM (acc, what, amount) THEN
      RAISE EXCEPTION 'source % was posted differently', ref;
    END IF;
    RETURN false;
  END IF;
  UPDATE account SET balance_pico = balance_pico + amount WHERE id = acc RETURNING balance_pico INTO STRICT after;
  INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, source, note, created_at)
    VALUES (acc, what, amount, after, ref, why, ledger_now());
  RETURN true;
END $$;
