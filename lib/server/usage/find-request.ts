import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import {
  CHARGE_COLUMNS,
  EVENT_COLUMNS,
  type LoggedRequest,
  loggedRequest,
  type RequestRow,
  ROW_COLUMNS,
} from "./request-row"
import { FindRequestInput } from "./schema"

const STATEMENT = `
SELECT ${ROW_COLUMNS} FROM (
  (SELECT ${CHARGE_COLUMNS} FROM ledger_entry WHERE hold_id = $2 AND account_id = $1)
  UNION ALL
  (SELECT ${EVENT_COLUMNS} FROM request_event WHERE id = $2 AND account_id = $1)
) r JOIN api_key k ON k.id = r.key_id`

/** Returns one request of the account by the id of its response, or null. Another account's request is null too. */
export async function findRequest(actor: UserActor, input: FindRequestInput): Promise<LoggedRequest | null> {
  const id = parsePublicId("req", FindRequestInput.parse(input).id)
  if (!id) return null
  const { rows } = await runtime().pool.query<RequestRow>(STATEMENT, [actor.accountId, id])
  return rows[0] ? loggedRequest(rows[0]) : null
}
