-- The page reads the sums of all models by key, and those of all keys by model: each in one piece of an index.
DROP INDEX usage_sum_key_id_unit_start_idx;
DROP INDEX usage_error_key_id_unit_start_idx;
CREATE INDEX usage_sum_account_id_unit_key_id_start_idx ON usage_sum (account_id, unit, key_id, start);
CREATE INDEX usage_sum_account_id_unit_model_id_start_idx ON usage_sum (account_id, unit, model_id, start);
CREATE INDEX usage_error_account_id_unit_key_id_start_idx ON usage_error (account_id, unit, key_id, start);
CREATE INDEX usage_error_account_id_unit_model_id_start_idx ON usage_error (account_id, unit, model_id, start);
