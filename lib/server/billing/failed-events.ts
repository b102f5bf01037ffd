import type Stripe from "stripe"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { sendDueRows } from "@/lib/server/platform/db/due-rows"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Payments } from "./payments"
import { settleEvent } from "./stripe-events"

const RETRIED_FOR = "24 hours"
/** Stripe keeps events as long. */
const KEPT = "30 days"
const SHOWN = 100

/** An event of Stripe that could not be settled. Times are ISO texts. */
export interface FailedEvent {
  /** `evt_…` */
  id: string
  /** As Stripe names it, such as `charge.refunded`. */
  type: string
  failedAt: string
  attempts: number
  /** The time of the next attempt; null once it was given up. */
  nextAt: string | null
}

/** Stores id and type of an event that was not settled, so that it is retried alone and the events after it are not read again. */
export async function rememberFailedEvent(
  { log, pool }: Runtime,
  { id, type }: Stripe.Event,
  cause: unknown,
): Promise<void> {
  const fields = { event: "stripe.event_failed", reason: `${type} ${id}`, cause }
  log.warn("A Stripe event was not settled and will be retried for 24 hours", fields)
  await pool.query("INSERT INTO failed_stripe_event (id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING", [id, type])
}

/** Returns the ids of the events that are retried or were given up. */
export async function readFailedEventIds({ pool }: Runtime): Promise<Set<string>> {
  const { rows } = await pool.query<Row<"FailedStripeEvent", "id">>("SELECT id FROM failed_stripe_event")
  return new Set(rows.map(({ id }) => id))
}

async function giveUpAfterADay({ log, pool }: Runtime, id: string, cause: unknown): Promise<void> {
  const { rowCount } = await pool.query(
    `UPDATE failed_stripe_event SET next_at = NULL WHERE id = $1 AND created_at < now() - interval '${RETRIED_FOR}'`,
    [id],
  )
  if (!rowCount) return
  const fields = { event: "stripe.event_given_up", reason: id, cause }
  log.error("A Stripe event was not settled for 24 hours and is no longer retried", fields)
}

async function retry(runtime: Runtime, payments: Payments, id: string): Promise<void> {
  try {
    await settleEvent(runtime, payments, await payments.stripe.events.retrieve(id))
  } catch (cause) {
    return giveUpAfterADay(runtime, id, cause)
  }
  await runtime.pool.query("DELETE FROM failed_stripe_event WHERE id = $1", [id])
}

/** Retries the events that are due, 1, 2, 4 and so on up to 60 minutes after the last attempt. Drops events that Stripe no longer has. */
export async function retryFailedEvents(runtime: Runtime): Promise<void> {
  const { payments, pool } = runtime
  if (!payments) return
  await sendDueRows(pool, "failed_stripe_event", (due) =>
    Promise.all(due.map(({ id }) => retry(runtime, payments, id))),
  )
  await pool.query(`DELETE FROM failed_stripe_event WHERE created_at < now() - interval '${KEPT}'`)
}

/** Makes every failed event due now, also those that were given up, and retries them. */
export async function retryAllFailedEvents(runtime: Runtime): Promise<void> {
  await runtime.pool.query("UPDATE failed_stripe_event SET next_at = now()")
  await retryFailedEvents(runtime)
}

type FailedRow = Row<"FailedStripeEvent", "id" | "type" | "created_at" | "attempts" | "next_at">

/** Returns at most 100 failed events, given-up ones first, then the oldest first. For the operator. */
export async function listFailedEvents({ pool }: Runtime, actor: Actor): Promise<FailedEvent[]> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<FailedRow>(
    `SELECT id, type, created_at, attempts, next_at FROM failed_stripe_event
     ORDER BY next_at IS NOT NULL, created_at LIMIT ${SHOWN}`,
  )
  return rows.map(({ id, type, created_at, attempts, next_at }) => ({
    id,
    type,
    failedAt: created_at.toISOString(),
    attempts,
    nextAt: next_at?.toISOString() ?? null,
  }))
}
