-- The UTC day on which an account's spend counts at this time. Days only move forward, even if the clock is set back, so that a charge
-- counts in the same period for its key and for each budget.
CREATE OR REPLACE FUNCTION day_at(a account, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(a.ledger_day, date_trunc('day', at, 'UTC'))
$$;
