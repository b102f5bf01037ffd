-- Returns an account's name: what an owner chose, else the address of the user it is named after, else that of its first owner, else ''.
CREATE OR REPLACE FUNCTION account_name(acc uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(a.name, (SELECT u.email FROM app_user u WHERE u.id = a.named_after AND u.erased_at IS NULL),
    first_owner_email(a.id), '')
  FROM account a WHERE a.id = acc;
$$;
