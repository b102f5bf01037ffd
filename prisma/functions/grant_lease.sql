-- How long a grant lives after its process last renewed it. A crash ends its grants within this time and a sweep.
CREATE OR REPLACE FUNCTION grant_lease() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '6 s' $$;
