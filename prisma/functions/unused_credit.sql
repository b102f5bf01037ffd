-- How much of an account's reserved amount no request in flight has drawn, or of all accounts' for null. Processes update it every 250 ms.
CREATE OR REPLACE FUNCTION unused_credit(acc uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(least(g.unused_pico, h.amount_pico)), 0)::bigint
  FROM credit_grant g JOIN hold h ON h.id = g.hold_id AND h.state = 'held' WHERE acc IS NULL OR g.account_id = acc
$$;
