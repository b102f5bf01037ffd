-- Checks the rows written before the constraints came back. Requests go on meanwhile.
ALTER TABLE account VALIDATE CONSTRAINT account_rates_check;
ALTER TABLE api_key
  VALIDATE CONSTRAINT api_key_kind_check, VALIDATE CONSTRAINT api_key_name_check, VALIDATE CONSTRAINT api_key_limit_pico_check,
  VALIDATE CONSTRAINT api_key_limit_period_check, VALIDATE CONSTRAINT api_key_secret_check,
  VALIDATE CONSTRAINT api_key_masked_check, VALIDATE CONSTRAINT api_key_limit_check;
ALTER TABLE hold
  VALIDATE CONSTRAINT hold_account_id_fkey, VALIDATE CONSTRAINT hold_key_id_fkey, VALIDATE CONSTRAINT hold_model_id_fkey;
ALTER TABLE ledger_entry
  VALIDATE CONSTRAINT ledger_entry_account_id_fkey, VALIDATE CONSTRAINT ledger_entry_key_id_fkey,
  VALIDATE CONSTRAINT ledger_entry_model_id_fkey;
