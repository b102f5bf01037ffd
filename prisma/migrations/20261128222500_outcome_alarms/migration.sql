-- Claims about the answers to a question by a model, each with the evidence against it. Every new outcome adds to it.
CREATE TABLE outcome_alarm (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  question text NOT NULL CHECK (length(question) BETWEEN 1 AND 256),
  type text NOT NULL,
  model_id text NOT NULL,
  claim text NOT NULL CHECK (claim IN ('above', 'below', 'calibration')),
  threshold double precision CHECK (threshold BETWEEN 0 AND 1),
  target double precision CHECK (target > 0 AND target < 1),
  trials integer NOT NULL DEFAULT 0,
  errors integer NOT NULL DEFAULT 0 CHECK (errors BETWEEN 0 AND trials),
  wealth double precision[] DEFAULT '{}',
  set_at timestamptz NOT NULL DEFAULT now(),
  fired_at timestamptz,
  CHECK ((claim = 'calibration') = (threshold IS NULL) AND (threshold IS NULL) = (target IS NULL)),
  UNIQUE (account_id, question, type, model_id, claim)
);
