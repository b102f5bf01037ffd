-- What a token may do. Those that exist keep what every token could do before.
ALTER TABLE account_token ADD COLUMN rights text[] DEFAULT ARRAY['account.read', 'keys.read', 'usage.read']
  CHECK (rights IS NOT NULL AND cardinality(rights) > 0);
