-- Claims an Idempotency-Key of an account for a request, and returns one row:
--   'claimed'     not charged within 24 hours. `previous` is the request of an earlier claim that ended without a release, else null
--   'charged'     charged within 24 hours: the answer may be computed again, by `model`
--   'running'     another request with this key and body is being answered
--   'other_body'  the key belongs to another body
--   'used_up'     the answer was computed 5 times after the charge
--   'revoked'     charged, but the API key or the account may not be used any more
-- `bodies` holds the body's HMAC by each accepted secret, the current one first. A claim locks one row and no account.
CREATE OR REPLACE FUNCTION claim_idempotency_key(acc uuid, api_key_id uuid, key bytea, bodies bytea[], request uuid)
RETURNS TABLE (outcome text, model text, previous uuid) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz := ledger_now();
  r idempotency_key;
BEGIN
  -- A crash that loses a claim only lets a retry begin sooner or compute once more, so the commit does not wait for the disk.
  outcome := set_config('synchronous_commit', 'off', true);
  LOOP
    INSERT INTO idempotency_key (account_id, key_sha256, body_hmac, request_id, leased_until, expires_at)
      VALUES (acc, key, bodies[1], request, t + idempotency_lease(), t + hold_lifetime()) ON CONFLICT DO NOTHING;
    outcome := 'claimed';
    IF FOUND THEN RETURN NEXT; RETURN; END IF;
    SELECT * INTO r FROM idempotency_key WHERE account_id = acc AND key_sha256 = key FOR NO KEY UPDATE;
    -- Another request may have released the key since.
    EXIT WHEN FOUND;
  END LOOP;
  -- The wait for the lock took time.
  t := ledger_now();

  IF (r.hold_id IS NULL AND r.leased_until <= t) OR (r.hold_id IS NOT NULL AND r.expires_at <= t) THEN
    previous := CASE WHEN r.hold_id IS NULL THEN r.request_id END;
    UPDATE idempotency_key SET body_hmac = bodies[1], request_id = request, leased_until = t + idempotency_lease(),
        hold_id = NULL, model_id = NULL, computed_again = 0, expires_at = t + hold_lifetime()
      WHERE account_id = acc AND key_sha256 = key;
  ELSIF r.body_hmac <> ALL (bodies) THEN
    outcome := 'other_body';
  ELSIF r.leased_until > t THEN
    outcome := 'running';
  ELSIF r.computed_again >= 5 THEN
    outcome := 'used_up';
  ELSIF NOT EXISTS (
    SELECT FROM api_key k JOIN account a ON a.id = k.account_id
    WHERE k.id = api_key_id AND a.id = acc AND a.status = 'active' AND k.revoked_at IS NULL AND k.paused_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > t)
  ) THEN
    outcome := 'revoked';
  ELSE
    outcome := 'charged';
    model := r.model_id;
    UPDATE idempotency_key SET request_id = request, leased_until = t + idempotency_lease(), computed_again = computed_again + 1
      WHERE account_id = acc AND key_sha256 = key;
  END IF;
  RETURN NEXT;
END $$;
