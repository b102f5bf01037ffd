-- Budgets of tags. The subject of such a budget is the tag.
ALTER TABLE budget ADD COLUMN tag text, DROP CONSTRAINT budget_check,
  ADD CONSTRAINT budget_subject_check CHECK (subject = coalesce(tag, user_id::text, '') AND num_nonnulls(tag, user_id) <= 1);

-- The functions are created again with this migration, with other parameters.
DROP FUNCTION IF EXISTS budget_subjects(api_key), budget_left(uuid, timestamptz), count_in_budgets(uuid[], bigint[], bigint[]),
  set_budget(uuid, uuid, uuid, text, bigint), extend_grant(uuid, boolean, uuid, uuid, text, bigint, bigint, bigint),
  charge_drawn(uuid[], uuid[], text[], bigint[], bigint[], bigint[], integer[], jsonb[], integer[], text[]),
  end_grant(uuid, uuid[], text[], bigint[], bigint[], integer[], text[]);
