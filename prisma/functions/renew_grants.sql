-- Renews the leases of a process's grants and notes how much of each is unused. Returns the ids of those that it must end: they were
-- recalled, have ended already, or their key or account may no longer be used.
CREATE OR REPLACE FUNCTION renew_grants(ids uuid[], unused bigint[]) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
DECLARE t timestamptz;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM 1 FROM credit_grant WHERE hold_id = ANY(ids) ORDER BY hold_id FOR NO KEY UPDATE;
  t := ledger_now();
  UPDATE credit_grant g SET unused_pico = u.amount FROM unnest(ids, unused) AS u(id, amount)
    WHERE g.hold_id = u.id AND g.unused_pico <> u.amount;
  -- A charge that has the lock renews its grant itself.
  UPDATE hold SET expires_at = t + grant_lease() WHERE id IN (
    SELECT h.id FROM unnest(ids) AS u(id) JOIN hold h ON h.id = u.id
    WHERE h.state = 'held' AND h.expires_at < t + grant_lease() * 0.75 FOR NO KEY UPDATE OF h SKIP LOCKED);
  RETURN QUERY SELECT u.id FROM unnest(ids) AS u(id)
    WHERE NOT EXISTS (
        SELECT FROM credit_grant g JOIN account a ON a.id = g.account_id JOIN api_key k ON k.id = g.key_id
        WHERE g.hold_id = u.id AND g.recalled_at IS NULL AND admission_verdict(a, k, 0, 0, 0, t) NOT IN ('revoked', 'expired_key'))
      OR NOT EXISTS (SELECT FROM hold h WHERE h.id = u.id AND h.state = 'held');
END $$;
