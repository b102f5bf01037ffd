-- A cascade asks the model `small_id`, and `big_id` again where an answer's probability is below `below`.
ALTER TABLE model
  ADD COLUMN small_id text REFERENCES model,
  ADD COLUMN big_id text REFERENCES model,
  ADD COLUMN below double precision CHECK (below > 0 AND below <= 1),
  ADD CONSTRAINT model_small_id_check CHECK (small_id NOT IN (id, big_id) AND big_id <> id),
  ADD CONSTRAINT model_cascade_check CHECK (num_nonnulls(small_id, big_id, below) = CASE engine WHEN 'cascade' THEN 3 ELSE 0 END),
  DROP CONSTRAINT model_engine_check,
  ADD CONSTRAINT model_engine_check CHECK (engine IN ('lexical', 'system-one', 'labels', 'cascade'));
