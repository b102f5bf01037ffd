-- Captures holds as charge_holds does, each for an Idempotency-Key, and writes the keys' rows in the same transaction. Returns
-- one row for each item, in their order: what charge_holds returns, or 'charged_before' when another hold was charged for the
-- key within 24 hours. Nothing is charged then. The settings keep the plans on the primary keys, as in charge_holds.
CREATE OR REPLACE FUNCTION charge_holds_once(
  ids uuid[], used bigint[], latencies_ms integer[], question_counts jsonb[], keys bytea[], bodies bytea[]
) RETURNS TABLE (state text) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  t timestamptz;
  h hold;
BEGIN
  -- Accounts are locked before keys and holds, in the order of their ids, as by every function that charges. While an account is
  -- locked, no other transaction can charge its idempotency keys.
  PERFORM 1 FROM account
    WHERE id = ANY (ARRAY(SELECT hold.account_id FROM unnest(ids) AS wanted(id) JOIN hold ON hold.id = wanted.id))
    ORDER BY id FOR NO KEY UPDATE;
  t := ledger_now();
  FOR i IN 1 .. cardinality(ids) LOOP
    SELECT * INTO h FROM hold WHERE id = ids[i];
    IF EXISTS (
      SELECT FROM idempotency_key WHERE account_id = h.account_id AND key_sha256 = keys[i] AND hold_id <> ids[i] AND expires_at > t
    ) THEN
      state := 'charged_before';
    ELSE
      SELECT c.state INTO state
        FROM charge_holds(ARRAY[ids[i]], ARRAY[used[i]], ARRAY[latencies_ms[i]], ARRAY[question_counts[i]]) AS c;
      IF state = 'captured' THEN
        -- A repeated capture of the same hold leaves the key's row as it is.
        INSERT INTO idempotency_key AS k (account_id, key_sha256, body_hmac, hold_id, model_id, expires_at)
          VALUES (h.account_id, keys[i], bodies[i], h.id, h.model_id, t + interval '24 h')
          ON CONFLICT (account_id, key_sha256) DO UPDATE SET body_hmac = excluded.body_hmac, hold_id = excluded.hold_id,
            model_id = excluded.model_id, expires_at = excluded.expires_at, request_id = NULL, leased_until = NULL, computed_again = 0
          WHERE k.hold_id IS DISTINCT FROM excluded.hold_id;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
