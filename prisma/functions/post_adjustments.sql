-- Credits accounts (above zero) and debits them (below), each line once per source. Posts all lines or none. Returns the outcome of each line:
-- `posted`, `repeated` when its source has that entry already, `differs` when it has another one, `closed` for a credit of a closed
-- account, `unknown` without an account, `too_large` for a balance that cannot be stored. When a line has one of the last four, nothing
-- is posted, and lines without a fault are `withheld`. The settings keep the plan on the primary keys.
CREATE OR REPLACE FUNCTION post_adjustments(accounts uuid[], amounts bigint[], refs text[], notes text[]) RETURNS SETOF text LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  outcomes text[];
  kinds text[] := ARRAY(SELECT CASE WHEN amount > 0 THEN 'credit' ELSE 'debit' END FROM unnest(amounts) WITH ORDINALITY AS u(amount, line) ORDER BY line);
BEGIN
  -- In one order, so that two calls never wait for each other.
  PERFORM 1 FROM account WHERE id = ANY (accounts) ORDER BY id FOR NO KEY UPDATE;
  outcomes := ARRAY(
    SELECT CASE
        WHEN a.id IS NULL THEN 'unknown'
        WHEN s.source IS NOT NULL AND (e.account_id, e.kind, e.amount_pico) IS DISTINCT FROM (u.acc, u.kind, u.amount) THEN 'differs'
        WHEN s.source IS NOT NULL THEN 'repeated'
        WHEN a.status = 'closed' AND u.kind = 'credit' THEN 'closed'
        WHEN abs(a.balance_pico + sum(CASE WHEN s.source IS NULL THEN u.amount::numeric ELSE 0 END) OVER (PARTITION BY u.acc ORDER BY u.line))
          > 9000000000000000000 THEN 'too_large'
        ELSE 'posted'
      END
    FROM unnest(accounts, kinds, amounts, refs) WITH ORDINALITY AS u(acc, kind, amount, ref, line)
      LEFT JOIN account a ON a.id = u.acc
      LEFT JOIN ledger_source s ON s.source = u.ref
      LEFT JOIN ledger_entry e ON e.account_id = s.account_id AND e.id = s.entry_id AND e.created_at = s.created_at
    ORDER BY u.line);
  IF outcomes && ARRAY['unknown', 'differs', 'closed', 'too_large'] THEN
    RETURN QUERY SELECT CASE outcome WHEN 'posted' THEN 'withheld' ELSE outcome END
      FROM unnest(outcomes) WITH ORDINALITY AS u(outcome, line) ORDER BY line;
    RETURN;
  END IF;
  FOR i IN 1 .. cardinality(accounts) LOOP
    IF outcomes[i] = 'posted' AND NOT post_entry(accounts[i], kinds[i], amounts[i], refs[i], notes[i]) THEN
      outcomes[i] := 'repeated';
    END IF;
  END LOOP;
  RETURN QUERY SELECT outcome FROM unnest(outcomes) WITH ORDINALITY AS u(outcome, line) ORDER BY line;
END $$;
