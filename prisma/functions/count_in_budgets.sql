-- Adds to what the budgets of these keys reserve and to what was spent of them, one amount of each for every key. Needs the locks of
-- the accounts, whose days are current.
CREATE OR REPLACE FUNCTION count_in_budgets(keys uuid[], held bigint[], spent bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE budget b SET held_pico = b.held_pico + c.held, spent_pico = spent_in_budget(b, a.ledger_day) + c.spent,
      period_start = budget_start(b, a.ledger_day)
    FROM account a, (
      SELECT of_key.id, sum(u.held) AS held, sum(u.spent) AS spent FROM unnest(keys, held, spent) AS u(key_id, held, spent)
        JOIN api_key k ON k.id = u.key_id
        JOIN budget of_key ON of_key.account_id = k.account_id AND of_key.subject = ANY(budget_subjects(k))
      GROUP BY of_key.id
    ) AS c
    WHERE b.id = c.id AND a.id = b.account_id;
END $$;
