import { type AccountActor, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId, timeOf } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { DAY_MS } from "@/lib/shared/time"
import {
  CHARGE_COLUMNS,
  EVENT_COLUMNS,
  type LoggedRequest,
  loggedRequest,
  type RequestRow,
  ROW_COLUMNS,
} from "./request-row"
import type { FindRequestInput } from "./schema"

const STATEMENT = `
SELECT ${ROW_COLUMNS} FROM (
  (SELECT ${CHARGE_COLUMNS} FROM ledger_entry WHERE hold_id = $2 AND account_id = $1 AND created_at BETWEEN $3 AND $4)
  UNION ALL
  (SELECT ${EVENT_COLUMNS} FROM request_event WHERE id = $2 AND account_id = $1 AND created_at BETWEEN $3 AND $4)
) r JOIN api_key k ON k.id = r.key_id`

/** Returns times between which a request with this UUID ended, unless a clock was wrong by a day: it leads to the month's partition. */
export function timesNear(id: string): [Date, Date] {
  const at = timeOf(id).getTime()
  return [new Date(at - DAY_MS), new Date(at + DAY_MS)]
}

/** Returns one request of the account by the id of its response, or null. Another account's request is null too. */
export async function findRequest(
  { pool }: Runtime,
  actor: AccountActor,
  input: FindRequestInput,
): Promise<LoggedRequest | null> {
  requireRight(actor, "usage.read")
  const id = parsePublicId("req", input.id)
  if (!id) return null
  // Clocks may be wrong, so all months come last.
  for (const times of [timesNear(id), ["-infinity", "infinity"]]) {
    const { rows } = await pool.query<RequestRow>(STATEMENT, [actor.accountId, id, ...times])
    if (rows[0]) return loggedRequest(rows[0])
  }
  return null
}

const ACCOUNT = `
SELECT r.account_id FROM (
  (SELECT account_id FROM ledger_entry WHERE hold_id = $2 AND created_at BETWEEN $3 AND $4)
  UNION ALL
  (SELECT account_id FROM request_event WHERE id = $2 AND created_at BETWEEN $3 AND $4)
) r JOIN member m ON m.account_id = r.account_id AND m.user_id = $1 JOIN account a ON a.id = r.account_id AND a.status = 'active'`

/** Returns the UUID of the user's active account that sent a request, so that a shared link can offer it; null when there is none. */
export async function findAccountOfRequest(
  { pool }: Runtime,
  actor: UserActor,
  input: FindRequestInput,
): Promise<string | null> {
  requireRight(actor, "usage.read")
  const id = parsePublicId("req", input.id)
  if (!id) return null
  const values = [actor.userId, id, ...timesNear(id)]
  const { rows } = await pool.query<Row<"RequestEvent", "account_id">>(ACCOUNT, values)
  return rows[0]?.account_id ?? null
}

// Refused requests are dropped after a while, and a use of a key is saved some seconds later.
const ANY_REQUEST = `
SELECT (SELECT id FROM ledger_entry WHERE account_id = $1 AND kind = 'charge' ORDER BY id DESC LIMIT 1) IS NOT NULL
  OR EXISTS (SELECT FROM request_event WHERE account_id = $1)
  OR EXISTS (SELECT FROM api_key WHERE account_id = $1 AND last_used_at IS NOT NULL) AS found`

/** Returns whether the account has ever sent a request with a valid key. */
export async function hasRequests({ pool }: Runtime, actor: AccountActor): Promise<boolean> {
  requireRight(actor, "usage.read")
  const { rows } = await pool.query<{ found: boolean }>(ANY_REQUEST, [actor.accountId])
  return rows[0]?.found === true
}
