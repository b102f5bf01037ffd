-- What the charges of a budget's period cost, in pico-USD: by the sums of usage or of its tag, and the entries that they do not include yet.
CREATE OR REPLACE FUNCTION budget_spend(b budget) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE summed_to bigint := coalesce((SELECT m.entry_id FROM usage_mark m WHERE m.account_id = b.account_id), 0);
BEGIN
  RETURN (
    SELECT coalesce(sum(cost), 0)::bigint FROM (
      SELECT s.cost_pico AS cost FROM usage_sum s JOIN api_key k ON k.id = s.key_id AND k.account_id = s.account_id
        WHERE b.tag IS NULL AND s.account_id = b.account_id AND s.unit = 'day' AND s.start >= b.period_start AND s.model_id = '*'
          AND b.subject = ANY(budget_subjects(k, '{}'))
      UNION ALL
      SELECT s.cost_pico FROM tag_sum s
        WHERE s.account_id = b.account_id AND s.unit = 'day' AND s.tag = b.tag AND s.start >= b.period_start
      UNION ALL
      SELECT -e.amount_pico FROM ledger_entry e JOIN api_key k ON k.id = e.key_id
        WHERE e.account_id = b.account_id AND e.id > summed_to AND e.kind = 'charge' AND e.created_at >= b.period_start
          AND b.subject = ANY(budget_subjects(k, e.tags))
    ) AS charged);
END $$;
