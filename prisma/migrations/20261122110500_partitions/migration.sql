-- Divides the ledger, refused requests and the audit log by month, and holds by day. A table with rows becomes the first
-- partition as it is. A lock is awaited for less than the time after which PostgreSQL looks for deadlocks, so this transaction
-- gives way and no request ever does.
SET LOCAL lock_timeout = '500ms';

-- What creates partitions. Later versions are in prisma/functions.
-- The smallest id that can have been created at this time: ids begin with the milliseconds since 1970.
CREATE OR REPLACE FUNCTION first_id_at(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(greatest(0, floor(extract(epoch FROM at) * 1000))::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
-- The partitioned tables, what one partition holds, and how far ahead partitions are created. Holds live for a week, so they are
-- divided by day: dropping a day removes its holds exactly and without deleting row by row.
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
  -- A hold's update finds room in its page. Days of holds are dropped before freezing their rows pays. Rows of the other
  -- tables never change: they are frozen the first time that vacuum reads them.
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
-- Trigger: writes what must be unique in the whole ledger into tables without its partitions. A charge needs an existing hold
-- that was not charged before, any other entry a new source.
CREATE OR REPLACE FUNCTION note_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.hold_id IS NULL THEN
    INSERT INTO ledger_source (source, account_id, entry_id, created_at) VALUES (NEW.source, NEW.account_id, NEW.id, NEW.created_at);
  ELSE
    IF NOT EXISTS (SELECT FROM hold WHERE id = NEW.hold_id) THEN
      RAISE EXCEPTION 'hold % of a charge does not exist', NEW.hold_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    INSERT INTO charged_hold (hold_id) VALUES (NEW.hold_id);
  END IF;
  RETURN NULL;
END $$;

LOCK TABLE hold, ledger_entry, request_event, audit_event IN ACCESS EXCLUSIVE MODE;
LOCK TABLE account, api_key, model IN SHARE ROW EXCLUSIVE MODE;

-- Makes `old` a partition of `parent` for all times before its bound. A table that was empty when the bounds were set has no
-- bound yet: it ends with the last month if it is still empty.
CREATE FUNCTION attach_old(parent text, old text) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE name text; bound timestamptz := date_trunc('month', now()); has_rows boolean;
BEGIN
  SELECT conname INTO name FROM pg_constraint WHERE conrelid = old::regclass AND conname LIKE 'before\_%';
  EXECUTE format('SELECT EXISTS (SELECT FROM %I)', old) INTO has_rows;
  IF name IS NOT NULL THEN bound := to_timestamp(name, '"before_"YYYY_MM_DD');
  ELSIF has_rows THEN bound := bound + interval '2 months'; END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent, old, bound);
  IF name IS NOT NULL THEN EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', old, name); END IF;
END $$;

-- Ids go on where they are. A sequence of its own replaces the identity, which PostgreSQL 15 and 16 do not allow in partitions.
CREATE FUNCTION free_sequence(old text, name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE last bigint; called boolean;
BEGIN
  EXECUTE format('SELECT last_value, is_called FROM %s', pg_get_serial_sequence(old, 'id')) INTO last, called;
  EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP IDENTITY', old);
  EXECUTE format('CREATE SEQUENCE %I', name);
  PERFORM setval(name::regclass, last, called);
END $$;

-- The ledger.
CREATE TABLE ledger_source (
  source text PRIMARY KEY,
  account_id uuid NOT NULL,
  entry_id bigint NOT NULL,
  created_at timestamptz NOT NULL
);
INSERT INTO ledger_source SELECT source, account_id, id, created_at FROM ledger_entry WHERE source IS NOT NULL;
-- Its parameter has the type of the old table. The function is created again with this migration.
DROP FUNCTION IF EXISTS question_counts_of(ledger_entry);
SELECT free_sequence('ledger_entry', 'ledger_entry_number');
ALTER TABLE ledger_entry RENAME TO ledger_entry_before;
ALTER TABLE ledger_entry_before DROP CONSTRAINT ledger_entry_pkey, DROP CONSTRAINT ledger_entry_source_key,
  DROP CONSTRAINT ledger_entry_hold_id_fkey,
  ADD CONSTRAINT ledger_entry_before_pkey PRIMARY KEY USING INDEX ledger_entry_before_pkey;
ALTER INDEX ledger_entry_hold_id_key RENAME TO ledger_entry_before_hold_id_key;
ALTER INDEX ledger_entry_account_id_created_at_idx RENAME TO ledger_entry_before_account_id_created_at_idx;
ALTER INDEX ledger_entry_but_charges RENAME TO ledger_entry_before_but_charges;
ALTER INDEX ledger_entry_key_id_model_id_created_at_idx RENAME TO ledger_entry_before_key_id_model_id_created_at_idx;
CREATE TABLE ledger_entry (LIKE ledger_entry_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (created_at);
ALTER SEQUENCE ledger_entry_number OWNED BY ledger_entry.id;
ALTER TABLE ledger_entry ALTER COLUMN id SET DEFAULT nextval('ledger_entry_number'), ADD PRIMARY KEY (account_id, id, created_at),
  ADD FOREIGN KEY (account_id) REFERENCES account, ADD FOREIGN KEY (key_id) REFERENCES api_key, ADD FOREIGN KEY (model_id) REFERENCES model;
CREATE INDEX ledger_entry_key_id_model_id_created_at_idx ON ledger_entry (key_id, model_id, created_at);
CREATE INDEX ledger_entry_but_charges ON ledger_entry (account_id, id) WHERE kind <> 'charge';
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry EXECUTE FUNCTION ledger_is_append_only();

-- Refused requests.
ALTER TABLE request_event RENAME TO request_event_before;
ALTER TABLE request_event_before DROP CONSTRAINT request_event_pkey,
  ADD CONSTRAINT request_event_before_pkey PRIMARY KEY USING INDEX request_event_before_pkey;
ALTER INDEX request_event_account_id_created_at_idx RENAME TO request_event_before_account_id_created_at_idx;
ALTER INDEX request_event_key_id_code_created_at_idx RENAME TO request_event_before_key_id_code_created_at_idx;
CREATE TABLE request_event (LIKE request_event_before INCLUDING CONSTRAINTS) PARTITION BY RANGE (created_at);
ALTER TABLE request_event ADD PRIMARY KEY (id, created_at),
  ADD FOREIGN KEY (account_id) REFERENCES account, ADD FOREIGN KEY (key_id) REFERENCES api_key;
CREATE INDEX request_event_account_id_created_at_idx ON request_event (account_id, created_at);
CREATE INDEX request_event_key_id_code_created_at_idx ON request_event (key_id, code, created_at);
DROP TRIGGER summed ON request_event_before;
CREATE TRIGGER summed AFTER INSERT ON request_event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sum_request_events();

-- The audit log.
SELECT free_sequence('audit_event', 'audit_event_number');
ALTER TABLE audit_event RENAME TO audit_event_before;
ALTER TABLE audit_event_before DROP CONSTRAINT audit_event_pkey,
  ADD CONSTRAINT audit_event_before_pkey PRIMARY KEY USING INDEX audit_event_before_pkey;
ALTER INDEX audit_event_account_id_id_idx RENAME TO audit_event_before_account_id_id_idx;
CREATE TABLE audit_event (LIKE audit_event_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (created_at);
ALTER SEQUENCE audit_event_number OWNED BY audit_event.id;
ALTER TABLE audit_event ALTER COLUMN id SET DEFAULT nextval('audit_event_number'), ADD PRIMARY KEY (id, created_at),
  ADD FOREIGN KEY (account_id) REFERENCES account;
CREATE INDEX audit_event_account_id_id_idx ON audit_event (account_id, id);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event EXECUTE FUNCTION audit_is_append_only();

-- Holds. The new table takes over those that a request or a retry may still need: a request ends within two minutes. What was
-- charged for the others is in the ledger.
ALTER TABLE hold RENAME TO hold_before;
ALTER TABLE hold_before RENAME CONSTRAINT hold_pkey TO hold_before_pkey;
CREATE TABLE hold (LIKE hold_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED) PARTITION BY RANGE (id);
ALTER TABLE hold ADD PRIMARY KEY (id), ADD FOREIGN KEY (account_id) REFERENCES account,
  ADD FOREIGN KEY (key_id) REFERENCES api_key, ADD FOREIGN KEY (model_id) REFERENCES model;
-- Holds that were charged. Divided by its key, so the key is unique in all partitions.
CREATE TABLE charged_hold (hold_id uuid PRIMARY KEY) PARTITION BY RANGE (hold_id);

-- Partitions, from the oldest time on. Yesterday's holds may still be open.
DO $$
DECLARE old text; constraint_name text; missing record; today timestamptz := date_trunc('day', ledger_now(), 'UTC');
BEGIN
  FOREACH old IN ARRAY ARRAY['ledger_entry', 'request_event', 'audit_event'] LOOP
    -- The bound came with the other constraints of the old table.
    FOR constraint_name IN SELECT conname FROM pg_constraint WHERE conrelid = old::regclass AND conname LIKE 'before\_%' LOOP
      EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', old, constraint_name);
    END LOOP;
    PERFORM attach_old(old, old || '_before');
    PERFORM add_partition(old, NULL, NULL);
  END LOOP;
  FOREACH old IN ARRAY ARRAY['hold', 'charged_hold'] LOOP
    PERFORM add_partition(old, NULL, NULL), add_partition(old, today - interval '1 day', today);
  END LOOP;
  FOR missing IN SELECT * FROM missing_partitions() LOOP
    PERFORM add_partition(missing.parent, missing.since, missing.until);
  END LOOP;
END $$;
DROP FUNCTION attach_old, free_sequence;

INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, state, tokens, created_at, expires_at, resolved_at)
  SELECT id, account_id, key_id, model_id, price_pico, max_tokens, state, tokens, created_at, expires_at, resolved_at
  FROM hold_before WHERE state = 'held' OR id >= first_id_at(now() - interval '10 minutes');
INSERT INTO charged_hold SELECT id FROM hold WHERE state = 'captured';
DROP TABLE hold_before;
CREATE TRIGGER append_only BEFORE TRUNCATE ON hold EXECUTE FUNCTION ledger_is_append_only();
-- Trigger: a captured hold is not deleted or renamed for seven days, as long as a retry of its capture may need it.
CREATE OR REPLACE FUNCTION captured_hold_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'captured hold % stays for seven days', OLD.id USING ERRCODE = 'foreign_key_violation';
END $$;
CREATE TRIGGER stays BEFORE DELETE OR UPDATE OF id ON hold FOR EACH ROW
  WHEN (OLD.state = 'captured' AND OLD.resolved_at > now() - interval '7 days') EXECUTE FUNCTION captured_hold_stays();
CREATE TRIGGER noted AFTER INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION note_ledger_entry();

-- Until when periodic work is done, by the times of the rows that it reads.
CREATE TABLE job_mark (
  name text PRIMARY KEY,
  done_until timestamptz NOT NULL
);

-- Every request updates these rows. Vacuum visits them sooner, so that their updates find room in their pages.
ALTER TABLE account SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE api_key SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
