-- How much a request of a key may still hold by its budgets, in pico-USD: what is left of the one with the least left. Null without a budget.
CREATE OR REPLACE FUNCTION budget_left(key uuid, request_tags text[], day timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT min(b.limit_pico - spent_in_budget(b, day) - b.held_pico) FROM api_key k
    JOIN budget b ON b.account_id = k.account_id AND b.subject = ANY(budget_subjects(k, request_tags)) WHERE k.id = key);
END $$;
