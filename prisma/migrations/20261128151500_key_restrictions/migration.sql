-- Where a key may be used. An empty list restricts nothing.
ALTER TABLE api_key
  ADD COLUMN models text[] DEFAULT '{}',
  ADD COLUMN routes text[] DEFAULT '{}',
  ADD COLUMN networks text[] DEFAULT '{}',
  ADD CONSTRAINT api_key_restrictions_check CHECK (num_nulls(models, routes, networks) = 0);
