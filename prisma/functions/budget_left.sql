-- How much a key may still hold by its budgets, in pico-USD: what is left of the one with the least left. Null without a budget.
CREATE OR REPLACE FUNCTION budget_left(key uuid, day timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT min(b.limit_pico - spent_in_budget(b, day) - b.held_pico) FROM api_key k
    JOIN budget b ON b.account_id = k.account_id AND b.subject = ANY(budget_subjects(k)) WHERE k.id = key);
END $$;
