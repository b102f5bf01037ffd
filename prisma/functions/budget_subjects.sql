-- The subjects of the budgets that a request of a key counts in: the account, which is the empty text, the member who created the key, and
-- the request's tags.
CREATE OR REPLACE FUNCTION budget_subjects(k api_key, tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['', k.created_by::text] || tags
$$;
