-- Returns an account's name: what an owner chose, or the address of the user it is named after, or that of its first owner. Empty without one.
CREATE OR REPLACE FUNCTION account_name(acc uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(a.name, (SELECT u.email FROM app_user u WHERE u.id = a.named_after AND u.erased_at IS NULL),
    (SELECT u.email FROM member o JOIN app_user u ON u.id = o.user_id
     WHERE o.account_id = a.id AND o.role = 'owner' ORDER BY o.created_at LIMIT 1), '')
  FROM account a WHERE a.id = acc;
$$;
