-- What a pinned model's engine reports about its weights, by name. Each fact is set once. Null: no probe has found any yet.
ALTER TABLE model ADD COLUMN pinned_facts jsonb CHECK (jsonb_typeof(pinned_facts) = 'object');
