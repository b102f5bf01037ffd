import { expect, test } from "vitest"
import { testRuntime } from "@/test/database"

const { pool } = await testRuntime()

/** Foreign keys whose columns begin no index of the whole table. A partition has those of its table. */
const WITHOUT_INDEX = `
  SELECT c.conrelid::regclass || '.' || string_agg(a.attname, ',' ORDER BY a.attnum) AS columns
  FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
  WHERE c.contype = 'f' AND c.conparentid = 0 AND c.connamespace = 'public'::regnamespace AND NOT EXISTS (
    SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indpred IS NULL
      AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)
  GROUP BY c.oid, c.conrelid`

/**
 * PostgreSQL looks for references when a row is deleted or its key changes. Rows of account, app_user, api_key and model stay, and
 * closing and erasing update them. What erasing deletes by such a column has an index, except where few rows exist at a time.
 */
const REVIEWED = {
  "account.named_after": "Erasing looks for accounts through members.",
  "account_token.created_by": "Users stay.",
  "alias_announcement.alias_id": "Models stay, and few are announced.",
  "alias_announcement.to_id": "Models stay, and few are announced.",
  "alias_move.alias_id": "Models stay, and few aliases move.",
  "alias_move.from_id": "Models stay, and few aliases move.",
  "alias_move.to_id": "Models stay, and few aliases move.",
  "alias_stay.alias_id": "Models stay.",
  "alias_stay.model_id": "Models stay.",
  "api_key.created_by": "Users stay.",
  "api_key.previous_by": "Users stay.",
  "api_key.replaced_by": "Users stay.",
  "budget.user_id": "Users stay. Budgets are looked for within one account.",
  "credit_grant.key_id": "Keys stay, and a process has one grant for each busy key.",
  "email_change.user_id": "Rows are dropped after a day. A pending one is found by a partial index.",
  "hold.account_id": "Accounts stay, and an index would slow every request.",
  "hold.key_id": "Keys stay, and an index would slow every request.",
  "hold.model_id": "Models stay, and an index would slow every request.",
  "invitation.invited_by": "Users stay. Those of a member are looked for within one account.",
  "ledger_entry.model_id": "Models stay, and an index would slow every charge.",
  "model.big_id": "Models stay.",
  "model.replacement_id": "Models stay.",
  "model.small_id": "Models stay.",
  "model.target_id": "Models stay.",
  "model_name.target_id": "Models stay.",
  "operator_token.created_by": "Users stay, and few tokens exist.",
  "session.account_id": "Accounts stay. Sessions are looked for by user.",
  "shadow.alias_id": "Models stay, and few shadows are started.",
  "shadow.from_id": "Models stay, and few shadows are started.",
  "shadow.to_id": "Models stay, and few shadows are started.",
  "topup.user_id": "Users stay.",
  "webhook_endpoint.created_by": "Users stay.",
  "webhook_endpoint.previous_by": "Users stay.",
  "webhook_endpoint.rotated_by": "Users stay.",
}

test("every foreign key has an index or a reason why it needs none", async () => {
  const { rows } = await pool.query<{ columns: string }>(WITHOUT_INDEX)
  expect(rows.map(({ columns }) => columns).toSorted()).toEqual(Object.keys(REVIEWED).toSorted())
})
