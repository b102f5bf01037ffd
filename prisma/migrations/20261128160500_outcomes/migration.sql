-- The accounts that keep outcomes. A switch that is off stays until the outcomes of its account are erased.
CREATE TABLE outcome_switch (
  account_id uuid PRIMARY KEY REFERENCES account,
  is_on boolean NOT NULL,
  turned_on_at timestamptz NOT NULL DEFAULT now()
);
-- What really happened, for one question of a charged request, as the client reports it. Without a foreign key, whose check would lock
-- the account's row.
CREATE TABLE outcome (
  account_id uuid,
  request_id uuid,
  question text CHECK (length(question) BETWEEN 1 AND 256),
  type text NOT NULL,
  model_id text NOT NULL,
  predicted double precision NOT NULL CHECK (predicted BETWEEN 0 AND 1),
  score double precision CHECK (score >= 0),
  outcome smallint NOT NULL CHECK (outcome >= 0),
  sampled_share double precision CHECK (sampled_share > 0 AND sampled_share <= 1),
  known_at timestamptz NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, request_id, question)
);
CREATE INDEX outcome_stored_at_idx ON outcome (stored_at);
CREATE INDEX outcome_account_id_question_model_id_known_at_idx ON outcome (account_id, question, model_id, known_at);
