-- Reserves credit for many requests of a key with the same tags, or adds to it: an open hold with this id and a row in credit_grant. The whole is
-- `wanted` pico-USD, but at most a fiftieth of what is left of the balance, of the key's limit or of its budgets, whichever is less. Returns how much
-- was added. 0: nothing can be added, the whole would be less than `smallest`, or too little is left for requests whose cost is at most
-- `bound_pico` but not known. Null: the grant has ended or was recalled, a new one has the id of a hold, or the key may not be used.
CREATE OR REPLACE FUNCTION extend_grant(
  grant_id uuid, is_new boolean, acc uuid, key uuid, model text, wanted bigint, smallest bigint, bound_pico bigint DEFAULT 0,
  request_tags text DEFAULT NULL
) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  t timestamptz;
  a account;
  k api_key;
  h hold;
  grant_tags text[] := string_to_array(request_tags, ',');
  had bigint := 0;
  left_pico bigint;
  budgets_left bigint;
  day timestamptz;
  added bigint;
BEGIN
  -- A crash that loses a grant only makes its charges take another path, so the commit does not wait for the disk.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO a FROM account WHERE id = acc FOR NO KEY UPDATE;
  SELECT * INTO k FROM api_key WHERE id = key AND account_id = acc FOR NO KEY UPDATE;
  t := ledger_now();
  SELECT * INTO h FROM hold WHERE id = grant_id;
  IF is_new <> (h.id IS NULL) THEN RETURN NULL; END IF;
  IF NOT is_new THEN
    IF h.state <> 'held' OR NOT EXISTS (SELECT FROM credit_grant WHERE hold_id = grant_id AND recalled_at IS NULL) THEN RETURN NULL; END IF;
    had := h.amount_pico;
    grant_tags := h.tags;
  END IF;
  day := day_at(a, t);
  budgets_left := budget_left(key, grant_tags, day);
  left_pico := had + spendable(a, k, 0, 0, t, budgets_left);
  added := least(wanted, left_pico / 50) - had;
  CASE admission_verdict(a, k, added, 0, 0, t, false, budgets_left)
    WHEN 'held' THEN NULL;
    WHEN 'revoked', 'expired_key' THEN RETURN NULL;
    ELSE RETURN 0;
  END CASE;
  IF had + added < smallest OR added <= 0 OR is_near_limit(bound_pico, left_pico) THEN RETURN 0; END IF;
  UPDATE account SET held_pico = held_pico + added, ledger_day = day WHERE id = acc;
  UPDATE api_key SET held_pico = held_pico + added, spent_pico = spent_in_period(api_key, day), period_start = period_at(api_key, day)
    WHERE id = key;
  IF budgets_left IS NOT NULL THEN PERFORM count_in_budgets(ARRAY[key], ARRAY[array_to_string(grant_tags, ',')], ARRAY[added], '{0}'); END IF;
  IF is_new THEN
    INSERT INTO hold (id, account_id, key_id, model_id, price_pico, max_tokens, tags, created_at, expires_at)
      VALUES (grant_id, acc, key, model, 1, added, grant_tags, t, t + grant_lease());
    INSERT INTO credit_grant (hold_id, account_id, key_id, unused_pico) VALUES (grant_id, acc, key, added);
  ELSE
    UPDATE hold SET max_tokens = max_tokens + added WHERE id = grant_id;
  END IF;
  RETURN added;
END $$;
