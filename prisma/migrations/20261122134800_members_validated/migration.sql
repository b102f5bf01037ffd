ALTER TABLE account VALIDATE CONSTRAINT account_name_check;
ALTER TABLE member VALIDATE CONSTRAINT member_role_check;
ALTER TABLE session VALIDATE CONSTRAINT session_account_id_fkey;
ALTER TABLE api_key VALIDATE CONSTRAINT api_key_created_by_fkey;
