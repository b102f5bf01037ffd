-- Foreign keys and CHECKs take the place of the triggers that stood in for them: what the database promises can be read in
-- its tables. NOT VALID needs only a short lock; the next migration checks the rows that are there without stopping writers.
ALTER TABLE hold
  ADD CONSTRAINT hold_account_id_fkey FOREIGN KEY (account_id) REFERENCES account NOT VALID,
  ADD CONSTRAINT hold_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key NOT VALID,
  ADD CONSTRAINT hold_model_id_fkey FOREIGN KEY (model_id) REFERENCES model NOT VALID;
ALTER TABLE ledger_entry
  ADD CONSTRAINT ledger_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account NOT VALID,
  ADD CONSTRAINT ledger_entry_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key NOT VALID,
  ADD CONSTRAINT ledger_entry_model_id_fkey FOREIGN KEY (model_id) REFERENCES model NOT VALID;

ALTER TABLE account
  ADD CONSTRAINT account_rates_check CHECK (requests_per_second > 0 AND requests_per_second_per_key > 0) NOT VALID;
ALTER TABLE api_key
  ADD CONSTRAINT api_key_kind_check CHECK (kind IN ('secret', 'playground')) NOT VALID,
  ADD CONSTRAINT api_key_name_check CHECK (char_length(name) BETWEEN 1 AND 64) NOT VALID,
  ADD CONSTRAINT api_key_limit_pico_check CHECK (limit_pico > 0) NOT VALID,
  ADD CONSTRAINT api_key_limit_period_check CHECK (limit_period IN ('daily', 'lifetime')) NOT VALID,
  ADD CONSTRAINT api_key_secret_check CHECK ((kind = 'secret') = (secret_sha256 IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT api_key_masked_check CHECK ((secret_sha256 IS NULL) = (masked IS NULL)) NOT VALID,
  ADD CONSTRAINT api_key_limit_check CHECK ((limit_pico IS NULL) = (limit_period IS NULL)) NOT VALID;

DROP TRIGGER named_by_money ON account;
DROP TRIGGER named_by_money ON api_key;
DROP TRIGGER named_by_money ON model;
DROP TRIGGER not_truncated ON account;
DROP TRIGGER not_truncated ON api_key;
DROP TRIGGER not_truncated ON model;
DROP TRIGGER well_formed ON account;
DROP TRIGGER well_formed ON api_key;
DROP FUNCTION is_named_by_money, money_is_not_truncated, check_account, check_api_key;
