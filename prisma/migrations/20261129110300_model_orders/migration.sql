-- What an operator ordered servers to run themselves. A server that serves the API carries out each open order.
CREATE TABLE model_order (
  id uuid PRIMARY KEY,
  source text NOT NULL,
  model_id text REFERENCES model,
  ordered_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX model_order_open_idx ON model_order (source) WHERE ended_at IS NULL;
CREATE INDEX model_order_model_id_idx ON model_order (model_id);
-- How far each server is with an order.
CREATE TABLE model_order_run (
  order_id uuid REFERENCES model_order ON DELETE CASCADE,
  process_id text REFERENCES server_process ON DELETE CASCADE,
  state text NOT NULL,
  done_bytes bigint,
  total_bytes bigint,
  reason text,
  PRIMARY KEY (order_id, process_id)
);
CREATE INDEX model_order_run_process_id_idx ON model_order_run (process_id);
-- Servers of earlier versions carry out no orders, and leave the column empty.
ALTER TABLE server_process ADD COLUMN runs_models boolean;
