import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { firstIdAt, parsePublicId, publicId, timeOf } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { timesNear } from "./find-request"
import type { FindRequestInput } from "./schema"

/** The limits of a refused request, as its response stated them. Amounts are USD texts; null for what had no part in it. */
export interface StoredLimits {
  /** Requests per second. `limit`, `counted` and `remaining` are those of the fuller window. */
  rate: {
    perKey: number
    perAccount: number
    limit: number
    counted: number
    remaining: number
    resetSeconds: number
  } | null
  retryAfterSeconds: number | null
  keyLimitUsd: string | null
  keyResetsAt: string | null
  requiredUsd: string | null
  availableUsd: string | null
}

/** What is known of a request besides its charge or its refusal, for `RETENTION_DAYS`. */
export interface RequestDetail {
  /** The alias that the client sent; null for a pinned id. */
  alias: string | null
  /** Billed tokens; null unless they were counted. */
  stateTokens: number | null
  questionTokens: number | null
  /** Durations in milliseconds; null for a stage that did not begin. */
  stagesMs: {
    read: number | null
    check: number | null
    hold: number | null
    engine: number | null
    capture: number | null
  }
  /** How often the client says that it sent the request before. */
  retries: number
  /** The id of an earlier request that this one probably repeats. */
  repeats: string | null
  limits: StoredLimits | null
}

type DetailRow = Row<
  "RequestDetail",
  | ("key_id" | "shape" | "alias" | "state_tokens" | "question_tokens" | "retries")
  | ("read_ms" | "check_ms" | "hold_ms" | "engine_ms" | "capture_ms")
> & { stated: StoredLimits | null }

/** A request of the same key, size and shape within this time is probably a retry. */
const RETRY_MS = 120_000
/** No request lasts longer. */
const LONGEST_MS = 150_000

const DETAIL = `
SELECT key_id, shape::text, alias, state_tokens, question_tokens, read_ms, check_ms, hold_ms, engine_ms, capture_ms, retries, limits AS stated
FROM request_detail WHERE id = $2 AND account_id = $1 AND created_at BETWEEN $3 AND $4`

// Ids begin with the times of their requests.
const EARLIER = `
SELECT id FROM request_detail
WHERE account_id = $1 AND created_at BETWEEN $6 AND $7 AND id >= $3 AND id < $2 AND key_id = $4 AND shape = $5
ORDER BY id DESC LIMIT 1`

/** Returns what is known of a request of the account; null for another account's request, and for one that has no details any more. */
export async function findDetails(
  { pool }: Runtime,
  actor: AccountActor,
  input: FindRequestInput,
): Promise<RequestDetail | null> {
  requireRight(actor, "usage.read")
  const id = parsePublicId("req", input.id)
  if (!id) return null
  const at = timeOf(id).getTime()
  const { rows } = await pool.query<DetailRow>(DETAIL, [actor.accountId, id, ...timesNear(id)])
  const [row] = rows
  if (!row) return null
  const since = new Date(at - RETRY_MS)
  const values = [actor.accountId, id, firstIdAt(since), row.key_id, row.shape, since, new Date(at + LONGEST_MS)]
  const earlier = row.shape === null ? [] : (await pool.query<Row<"RequestDetail", "id">>(EARLIER, values)).rows
  return {
    alias: row.alias,
    stateTokens: row.state_tokens,
    questionTokens: row.question_tokens,
    stagesMs: {
      read: row.read_ms,
      check: row.check_ms,
      hold: row.hold_ms,
      engine: row.engine_ms,
      capture: row.capture_ms,
    },
    retries: row.retries,
    repeats: earlier[0] ? publicId("req", earlier[0].id) : null,
    limits: row.stated,
  }
}
