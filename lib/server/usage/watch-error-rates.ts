import { queueEvent } from "@/lib/server/events/queue-event"
import { queueMail } from "@/lib/server/mail/queue-mail"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALL_KEYS, ALL_MODELS } from "./spent"

/** Fewer failures than these are not reported, so that one failure at night is no alarm. */
const MIN_FAILED = 10
/** Reported is an hour in which at least one of so many requests failed. */
const ONE_OF = 20

// The hour before counts for two minutes more, because failures are written up to seconds after they happened.
const HIGH = `
  WITH failures AS (
    SELECT account_id, start, sum(requests)::int AS failed FROM usage_error
    WHERE start IN (date_trunc('hour', $1::timestamptz, 'UTC'), date_trunc('hour', $1 - interval '2 minutes', 'UTC'))
      AND unit = 'hour' AND key_id = '${ALL_KEYS}' AND model_id = '${ALL_MODELS}' AND status >= 500
    GROUP BY 1, 2 HAVING sum(requests) >= ${MIN_FAILED}
  )
  SELECT f.account_id, f.start, failed, failed + answered AS total
  FROM failures f JOIN account c ON c.id = f.account_id AND c.status = 'active'
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(decisions), 0)::int AS answered FROM usage_sum s
      WHERE s.account_id = f.account_id AND unit = 'hour' AND s.start = f.start
        AND key_id = '${ALL_KEYS}' AND model_id = '${ALL_MODELS}'
    ) AS a
  WHERE failed * ${ONE_OF} >= failed + answered`

type HighRate = Row<"UsageError", "account_id" | "start"> & { failed: number; total: number }

/**
 * Reports by mail and to the webhooks that want it that at least 10 requests of an hour, and 5 % of them, failed with a status of 500 or
 * above, once per hour. `at` is now; tests pass another time.
 */
export async function watchErrorRates({ pool }: Runtime, at = new Date()): Promise<void> {
  const { rows } = await pool.query<HighRate>(HIGH, [at])
  for (const { account_id, start, failed, total } of rows) {
    const hour = start.toISOString()
    const facts = { hour, requests: total, failed }
    await inTransaction(pool, async (client) => {
      await queueEvent(client, {
        accountId: account_id,
        type: "errors.high",
        source: `errors:${hour}`,
        data: { account_id: publicId("acc", account_id), ...facts },
      })
      const source = `errors:${account_id}:${hour}`
      await queueMail(client, { accountId: account_id, kind: "errors_high", source, facts })
    })
  }
}
