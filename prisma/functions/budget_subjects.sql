-- The subjects of the budgets that a key's requests count in: the account, which is the empty text, and the member who created the key.
CREATE OR REPLACE FUNCTION budget_subjects(k api_key) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['', k.created_by::text]
$$;
