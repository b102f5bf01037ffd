-- Adds to what the budgets of requests reserve and to what was spent of them. Each element of the arrays is a request's key, its tags,
-- separated by commas, and an amount of each. Needs the locks of the accounts, whose days are current.
CREATE OR REPLACE FUNCTION count_in_budgets(keys uuid[], request_tags text[], held bigint[], spent bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE budget b SET held_pico = b.held_pico + c.held, spent_pico = spent_in_budget(b, a.ledger_day) + c.spent,
      period_start = budget_start(b, a.ledger_day)
    FROM account a, (
      SELECT of_request.id, sum(u.held) AS held, sum(u.spent) AS spent FROM unnest(keys, request_tags, held, spent) AS u(key_id, tags, held, spent)
        JOIN api_key k ON k.id = u.key_id
        JOIN budget of_request ON of_request.account_id = k.account_id
          AND of_request.subject = ANY(budget_subjects(k, string_to_array(u.tags, ',')))
      GROUP BY of_request.id
    ) AS c
    WHERE b.id = c.id AND a.id = b.account_id;
END $$;
