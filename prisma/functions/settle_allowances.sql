-- Credits the allowances that are due to an account this UTC month, and debits what is left of those of earlier months in one entry.
-- `rules` and `subjects` name what is due; each is credited once per month. Charges are paid from allowances first. Credit that requests in
-- flight hold is never taken, so a balance never falls below zero by this.
CREATE OR REPLACE FUNCTION settle_allowances(
  acc uuid, rules uuid[], subjects uuid[], OUT granted_pico bigint, OUT taken_pico bigint
) LANGUAGE plpgsql AS $$
DECLARE a account; this_month date; past_month date; due record; old record; remaining bigint; last_id bigint; last_after bigint;
BEGIN
  granted_pico := 0;
  taken_pico := 0;
  SELECT * INTO STRICT a FROM account WHERE id = acc FOR NO KEY UPDATE;
  this_month := date_trunc('month', ledger_now() AT TIME ZONE 'UTC')::date;
  -- What was charged between two entries is the difference of their balances and of what was posted between them. Before the first
  -- allowance it is null, which greatest() ignores.
  FOR old IN
    SELECT w.credited_for, e.id, e.amount_pico, e.balance_after_pico - e.amount_pico AS before, e.balance_after_pico AS after FROM allowance w
      JOIN ledger_source s ON s.source = allowance_source(w.rule_id, w.credited_for, w.subject)
      JOIN ledger_entry e ON e.account_id = s.account_id AND e.id = s.entry_id AND e.created_at = s.created_at
    WHERE w.account_id = acc AND w.credited_for < this_month AND w.ended_at IS NULL ORDER BY e.id
  LOOP
    remaining := old.amount_pico + greatest(0, remaining - (last_after + posted_between(acc, last_id, old.id) - old.before));
    last_id := old.id;
    last_after := old.after;
    past_month := old.credited_for;
  END LOOP;
  remaining := greatest(0, remaining - (last_after + posted_between(acc, last_id, NULL) - a.balance_pico));

  FOR due IN
    SELECT r.id, u.subject, r.amount_pico, r.carries_over, r.per FROM unnest(rules, subjects) AS u(rule_id, subject)
      JOIN allowance_rule r ON r.id = u.rule_id AND r.ended_at IS NULL
    WHERE a.status = 'active' ORDER BY r.id, u.subject
  LOOP
    -- Two owners bring the allowance of one account.
    CONTINUE WHEN due.per = 'account'
      AND EXISTS (SELECT FROM allowance WHERE account_id = acc AND credited_for = this_month AND rule_id = due.id);
    INSERT INTO allowance (rule_id, credited_for, subject, account_id, amount_pico, ended_at)
      VALUES (due.id, this_month, due.subject, acc, due.amount_pico, CASE WHEN due.carries_over THEN ledger_now() END)
      ON CONFLICT DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    PERFORM post_entry(acc, 'credit', due.amount_pico, allowance_source(due.id, this_month, due.subject),
      'Allowance for ' || to_char(this_month, 'FMMonth YYYY'));
    granted_pico := granted_pico + due.amount_pico;
  END LOOP;

  IF last_id IS NULL THEN RETURN; END IF;
  taken_pico := least(remaining, greatest(0, a.balance_pico + granted_pico - a.held_pico));
  IF taken_pico > 0 THEN
    PERFORM post_entry(acc, 'debit', -taken_pico, 'allowance_end:' || acc || ':' || last_id,
      'Unused allowance of ' || to_char(past_month, 'FMMonth YYYY'));
  END IF;
  UPDATE allowance SET ended_at = ledger_now() WHERE account_id = acc AND credited_for < this_month AND ended_at IS NULL;
END $$;
