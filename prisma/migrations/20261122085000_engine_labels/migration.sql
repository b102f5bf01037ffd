-- A model may also be an ordinary chat model that is read by its labels. It has an address, like one with a decision route.
ALTER TABLE model
  DROP CONSTRAINT model_engine_check,
  DROP CONSTRAINT model_check2,
  ADD CONSTRAINT model_engine_check CHECK (engine IN ('lexical', 'system-one', 'labels')),
  ADD CONSTRAINT model_engine_url_check CHECK ((engine IN ('system-one', 'labels')) = (engine_url IS NOT NULL));
