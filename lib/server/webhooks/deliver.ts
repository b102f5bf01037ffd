import {
  type DueRow,
  dropOldRows,
  giveUp,
  MAX_ATTEMPTS,
  markSent,
  sendDueRows,
} from "@/lib/server/platform/db/due-rows"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { WebhookFault } from "@/lib/shared/webhooks/schema"
import { openWebhookSecret, signMessage } from "./secret"
import type { WebhookReply } from "./webhook-client"

type Reply = WebhookReply | { status: null; fault: "secret" }

const TABLE = "webhook_delivery"

type Delivery = Row<"WebhookDelivery", "id" | "body"> & Row<"WebhookEndpoint", "url" | "secret" | "previous_secret">

const SELECT = `
  SELECT d.id, e.url, d.body, e.secret, CASE WHEN e.previous_until > now() THEN e.previous_secret END AS previous_secret
  FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE d.id = ANY ($1)`

async function send(runtime: Runtime, { id, url, body, secret, previous_secret }: Delivery): Promise<Reply> {
  const stored = previous_secret ? [secret, previous_secret] : [secret]
  const secrets = stored.map((sealed) => openWebhookSecret(runtime, sealed)).filter((opened) => opened !== null)
  if (secrets.length === 0) return { status: null, fault: "secret" }
  // A message that was sent again has the same id, so that the receiver can drop the second one.
  const message = publicId("msg", id)
  const timestamp = Math.floor(Date.now() / 1_000)
  const headers = {
    "content-type": "application/json",
    "user-agent": "decision-service-webhooks",
    "webhook-id": message,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((key) => signMessage(key, message, timestamp, body)).join(" "),
  }
  return runtime.webhooks.post(url, headers, body)
}

async function deliver(runtime: Runtime, delivery: Delivery, attempts: number): Promise<void> {
  const { pool, log, metrics } = runtime
  const { id } = delivery
  const { status, fault } = await send(runtime, delivery)
  const isDelivered = status !== null && status >= 200 && status < 300
  const shown: WebhookFault | null = fault === null || fault === "secret" ? fault : "network"
  await pool.query("UPDATE webhook_delivery SET tried_at = now(), last_status = $2, last_fault = $3 WHERE id = $1", [
    id,
    status,
    shown,
  ])
  metrics.webhook(isDelivered ? "delivered" : "failed")
  if (isDelivered) return void (await markSent(pool, TABLE, id))
  const reason = fault ?? String(status)
  log.info("A webhook was not delivered", { event: "webhook.failed", reason })
  if (attempts >= MAX_ATTEMPTS) await giveUp(pool, TABLE, id)
}

async function deliverBatch(runtime: Runtime, due: DueRow[]): Promise<void> {
  const { rows } = await runtime.pool.query<Delivery>(SELECT, [due.map(({ id }) => id)])
  // At the same time, so that a slow receiver delays the others by one time-out at most.
  await Promise.all(rows.map((row) => deliver(runtime, row, due.find(({ id }) => id === row.id)?.attempts ?? 0)))
}

/** Sends the messages that are due, and returns how many it tried. Any server may run it: each message is claimed by one. */
export const deliverWebhooks = (runtime: Runtime): Promise<number> =>
  sendDueRows(runtime.pool, TABLE, (due) => deliverBatch(runtime, due))

/** Drops messages 30 days after they were delivered, and given-up ones 30 days after they were queued. */
export const dropOldDeliveries = ({ pool }: Runtime): Promise<void> => dropOldRows(pool, TABLE)
