import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { readFailedEventIds, rememberFailedEvent } from "./failed-events"
import { reconcileTopup } from "./reconcile-topup"
import { settleEvent, TOPUP_EVENTS } from "./stripe-events"

const BATCH = 50
const OVERLAP_SECONDS = 300
const FIRST_LOOK_BACK_SECONDS = 3 * 86_400

/** Selects the top-ups to check: new ones often, since someone may be waiting for them, old ones rarely. */
const DUE = `
  SELECT id FROM topup WHERE status IN ('created', 'open', 'processing')
    AND (is_automatic OR created_at > now() - interval '30 days')
    AND checked_at < now() - CASE
      WHEN is_automatic AND created_at > now() - interval '1 hour' THEN interval '10 seconds'
      WHEN created_at > now() - interval '15 minutes' THEN interval '30 seconds'
      WHEN created_at > now() - interval '2 hours' THEN interval '5 minutes'
      ELSE interval '1 hour' END
  ORDER BY checked_at LIMIT $1`

/** Settles every top-up. Logs failures and moves these top-ups to the end of the queue. Throws the first failure at the end. */
export async function settleAll(runtime: Runtime, ids: Iterable<string>): Promise<void> {
  const { log, pool } = runtime
  let failure: unknown
  for (const id of ids) {
    try {
      await reconcileTopup(runtime, id)
    } catch (cause) {
      failure ??= cause
      const fields = { event: "topup.settle_failed", reason: publicId("top", id), cause }
      log.warn("A top-up was not settled and will be checked again", fields)
      await pool.query("UPDATE topup SET checked_at = now() WHERE id = $1", [id])
    }
  }
  if (failure) throw failure
}

/** Settles up to 50 top-ups that are due for a check, so that none depends on a webhook. Returns how many it checked. */
export async function pollTopups(runtime: Runtime): Promise<number> {
  const { payments, pool } = runtime
  if (!payments) return 0
  const { rows } = await pool.query<Row<"Topup", "id">>(DUE, [BATCH])
  await settleAll(
    runtime,
    rows.map(({ id }) => id),
  )
  return rows.length
}

/**
 * Reads Stripe's list of events since the last call, for changes whose webhook was lost, such as refunds and disputes. An event that
 * fails is remembered and retried alone. Returns how many top-ups it checked. Rejects when the list cannot be read.
 */
export async function pollEvents(runtime: Runtime): Promise<number> {
  const { payments, pool } = runtime
  if (!payments) return 0
  const startedAt = new Date()
  const { rows } = await pool.query<Row<"StripeEventCursor", "read_until">>(
    "SELECT read_until FROM stripe_event_cursor",
  )
  const until = rows[0]?.read_until.getTime() ?? startedAt.getTime() - FIRST_LOOK_BACK_SECONDS * 1000
  const gte = Math.floor(until / 1000) - OVERLAP_SECONDS
  const failed = await readFailedEventIds(runtime)
  const settled = new Set<string>()
  for await (const event of payments.stripe.events.list({ types: [...TOPUP_EVENTS], created: { gte }, limit: 100 })) {
    if (event.livemode !== payments.livemode || failed.has(event.id)) continue
    await settleEvent(runtime, payments, event, settled).catch((cause: unknown) =>
      rememberFailedEvent(runtime, event, cause),
    )
  }
  await pool.query(
    `INSERT INTO stripe_event_cursor (read_until) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET read_until = greatest(stripe_event_cursor.read_until, excluded.read_until)`,
    [startedAt],
  )
  return settled.size
}
