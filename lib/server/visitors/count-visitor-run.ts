import { keyedHash } from "@/lib/server/auth/sign-in-events"
import { networksOf } from "@/lib/server/platform/client-networks"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { DAY_MS } from "@/lib/shared/time"
import { RUNS_PER_DAY } from "@/lib/shared/visitors/runs-per-day"

// Rows are locked in the order of their hashes, so that visitors of one network never wait for each other in a circle.
const COUNT = `
  INSERT INTO visitor_run AS r (day, client_hash, runs)
  SELECT (now() AT TIME ZONE 'utc')::date, hash, 1 FROM unnest($1::text[]) AS hash ORDER BY hash
  ON CONFLICT (day, client_hash) DO UPDATE SET runs = r.runs + 1
  RETURNING client_hash, runs`

/** Returns the seconds until the next UTC day. */
export const secondsOfDay = (nowMs = Date.now()): number => Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1_000)

/**
 * Counts a run of a client, as `addressBlock` names it, and of the networks that one attacker may own as a whole. A network has as many
 * runs a day as it may request sign-in links in an hour. Throws `rate_limited`, and counts nothing, for one over its limit.
 */
export async function countVisitorRun(runtime: Runtime, block: string): Promise<void> {
  const limits = new Map<string, number>([[keyedHash(runtime, "client", block), RUNS_PER_DAY]])
  for (const { network, maxPerHour } of networksOf(block)) limits.set(keyedHash(runtime, "client", network), maxPerHour)
  await inTransaction(runtime.pool, async (client) => {
    const { rows } = await client.query<Row<"VisitorRun", "client_hash" | "runs">>(COUNT, [[...limits.keys()]])
    if (rows.some(({ client_hash, runs }) => runs > (limits.get(client_hash) ?? 0)))
      throw new ServiceError("rate_limited", {
        retryAfterSeconds: secondsOfDay(),
        message: `The ${RUNS_PER_DAY} runs a day without an account are used up. Sign in to continue.`,
      })
  })
}
