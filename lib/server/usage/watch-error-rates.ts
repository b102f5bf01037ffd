import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { queueEvent } from "@/lib/server/webhooks/queue-event"
import { ALL_KEYS, ALL_MODELS } from "./spent"

/** Fewer failures than these are not reported, so that one failure at night is no alarm. */
const MIN_FAILED = 10
/** Reported is an hour in which at least one of so many requests failed. */
const ONE_OF = 20

// The hour before counts for two minutes more, because failures are written up to seconds after they happened.
const HIGH = `
  WITH watched AS (SELECT DISTINCT account_id FROM webhook_endpoint WHERE 'errors.high' = ANY (events)),
    hours AS (SELECT DISTINCT date_trunc('hour', at, 'UTC') AS start FROM unnest(ARRAY[$1::timestamptz, $1 - interval '2 minutes']) AS at)
  SELECT account_id, start, failed, failed + answered AS total
  FROM watched CROSS JOIN hours
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(requests), 0)::int AS failed FROM usage_error e
      WHERE e.account_id = watched.account_id AND unit = 'hour' AND e.start = hours.start
        AND key_id = '${ALL_KEYS}' AND model_id = '${ALL_MODELS}' AND status >= 500
    ) AS f
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(decisions), 0)::int AS answered FROM usage_sum s
      WHERE s.account_id = watched.account_id AND unit = 'hour' AND s.start = hours.start
        AND key_id = '${ALL_KEYS}' AND model_id = '${ALL_MODELS}'
    ) AS a
  WHERE failed >= ${MIN_FAILED} AND failed * ${ONE_OF} >= failed + answered`

type HighRate = Row<"UsageError", "account_id" | "start"> & { failed: number; total: number }

/**
 * Reports to the webhooks that want it that at least 10 requests of an hour, and 5 % of them, failed with a status of 500 or above. Each
 * webhook gets one message per hour. `at` is now; tests pass another time.
 */
export async function watchErrorRates({ pool }: Runtime, at = new Date()): Promise<void> {
  const { rows } = await pool.query<HighRate>(HIGH, [at])
  for (const { account_id, start, failed, total } of rows) {
    const hour = start.toISOString()
    await inTransaction(pool, (client) =>
      queueEvent(client, {
        accountId: account_id,
        type: "errors.high",
        source: `errors:${hour}`,
        data: { account_id: publicId("acc", account_id), hour, requests: total, failed },
      }),
    )
  }
}
