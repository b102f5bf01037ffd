-- Returns the e-mail address of the account's first owner. Null without one.
CREATE OR REPLACE FUNCTION first_owner_email(acc uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT u.email FROM member o JOIN app_user u ON u.id = o.user_id
  WHERE o.account_id = acc AND o.role = 'owner' ORDER BY o.created_at LIMIT 1;
$$;
