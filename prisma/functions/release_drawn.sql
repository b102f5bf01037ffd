-- Gives up a request that drew from a grant. Returns 'captured' when it was charged after all, else 'voided' or 'expired'. While the
-- grant is open, stores a voided hold, so that a charge that is still under way finds it and changes nothing.
CREATE OR REPLACE FUNCTION release_drawn(h uuid, grant_id uuid, model text, price bigint, max_tokens bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE t timestamptz; g hold;
BEGIN
  PERFORM 1 FROM account WHERE id = (SELECT account_id FROM hold WHERE id = grant_id) FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM hold WHERE id = h) THEN RETURN release(h, 'voided'); END IF;
  SELECT * INTO g FROM hold WHERE id = grant_id;
  -- Nothing can be charged to a grant that has ended.
  IF g.state = 'held' THEN
    t := ledger_now();
    INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, state, created_at, expires_at, resolved_at)
      VALUES (h, g.account_id, g.key_id, model, price, max_tokens, 'voided', t, t + hold_lifetime(), t);
  END IF;
  RETURN 'voided';
END $$;
