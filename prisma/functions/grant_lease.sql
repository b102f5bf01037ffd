-- How long a grant lives after its process last renewed it. After a crash, the first sweep after this time ends its grants.
CREATE OR REPLACE FUNCTION grant_lease() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '6 s' $$;
