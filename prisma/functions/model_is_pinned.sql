-- Trigger: a pinned id never changes meaning. What it runs is fixed from its first successful probe on, which records a build or
-- facts. Nothing has answered for it before.
CREATE OR REPLACE FUNCTION model_is_pinned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.id, OLD.kind, OLD.small_id, OLD.big_id, OLD.below) IS DISTINCT FROM (NEW.id, NEW.kind, NEW.small_id, NEW.big_id, NEW.below) THEN
    RAISE EXCEPTION 'model % is pinned: its id, kind and parts never change', OLD.id;
  END IF;
  IF OLD.engine <> 'lexical' AND OLD.engine_build IS NULL AND OLD.pinned_facts IS NULL THEN RETURN NEW; END IF;
  IF OLD.engine IS DISTINCT FROM NEW.engine
    OR (OLD.engine_model IS NOT NULL AND OLD.engine_model IS DISTINCT FROM NEW.engine_model)
    OR (OLD.engine_build IS NOT NULL AND OLD.engine_build IS DISTINCT FROM NEW.engine_build)
    OR (OLD.pinned_facts IS NOT NULL AND (NEW.pinned_facts @> OLD.pinned_facts) IS NOT TRUE)
    OR (OLD.source IS NOT NULL AND OLD.source IS DISTINCT FROM NEW.source)
    OR (OLD.tokenizer IS NOT NULL AND OLD.tokenizer IS DISTINCT FROM NEW.tokenizer)
    OR (OLD.prompt_template IS NOT NULL AND OLD.prompt_template IS DISTINCT FROM NEW.prompt_template)
  THEN
    RAISE EXCEPTION 'model % is pinned: engine, model, build, weights, source, tokenizer and template never change', OLD.id;
  END IF;
  RETURN NEW;
END $$;
