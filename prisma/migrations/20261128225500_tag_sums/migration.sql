-- What charges with each tag cost, by hour and UTC day, key and model. `roll_up_usage` writes it.
CREATE TABLE tag_sum (
  account_id uuid NOT NULL,
  unit text NOT NULL CHECK (unit IN ('hour', 'day')),
  start timestamptz NOT NULL,
  tag text NOT NULL,
  key_id uuid NOT NULL,
  model_id text NOT NULL,
  decisions bigint NOT NULL,
  tokens bigint NOT NULL,
  cost_pico bigint NOT NULL,
  latency_counts bigint[],
  CONSTRAINT tag_sum_pkey PRIMARY KEY (account_id, unit, start, tag, key_id, model_id)
) WITH (fillfactor = 70);
CREATE INDEX tag_sum_account_id_unit_tag_start_idx ON tag_sum (account_id, unit, tag, start);
