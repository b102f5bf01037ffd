import { queueMail } from "@/lib/server/mail/queue-mail"
import {
  type DueRow,
  dropOldRows,
  giveUp,
  MAX_ATTEMPTS,
  markSent,
  sendDueRows,
} from "@/lib/server/platform/db/due-rows"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { WebhookFault } from "@/lib/shared/webhooks/schema"
import { openWebhookSecret, signMessage } from "./secret"
import { slackBody } from "./slack-text"
import type { WebhookReply } from "./webhook-client"

type Reply = WebhookReply | { status: null; fault: "secret" }

const TABLE = "webhook_delivery"

type Delivery = Row<"WebhookDelivery", "id" | "account_id" | "endpoint_id" | "body"> &
  Row<"WebhookEndpoint", "kind" | "url" | "secret" | "previous_secret">

const SELECT = `
  SELECT d.id, d.account_id, d.endpoint_id, d.body, e.kind, e.url, e.secret,
    CASE WHEN e.previous_until > now() THEN e.previous_secret END AS previous_secret
  FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE d.id = ANY ($1)`

const JSON_HEADERS = { "content-type": "application/json", "user-agent": "decision-service-webhooks" }

/** Posts the text of a message to a Slack address, which is no signed webhook: the address itself is the secret. */
async function sendToSlack(runtime: Runtime, { account_id: accountId, body, secret }: Delivery): Promise<Reply> {
  const address = openWebhookSecret(runtime, secret)
  if (address === null) return { status: null, fault: "secret" }
  const text = slackBody(body, { accountId, consoleUrl: runtime.env.CONSOLE_URL })
  return runtime.webhooks.post(address.toString(), JSON_HEADERS, text)
}

async function send(runtime: Runtime, delivery: Delivery): Promise<Reply> {
  if (delivery.kind === "slack") return sendToSlack(runtime, delivery)
  const { id, url, body, secret, previous_secret } = delivery
  const stored = previous_secret ? [secret, previous_secret] : [secret]
  const secrets = stored.map((sealed) => openWebhookSecret(runtime, sealed)).filter((opened) => opened !== null)
  if (secrets.length === 0) return { status: null, fault: "secret" }
  // A message that was sent again has the same id, so that the receiver can drop the second one.
  const message = publicId("msg", id)
  const timestamp = Math.floor(Date.now() / 1_000)
  const headers = {
    ...JSON_HEADERS,
    "webhook-id": message,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((key) => signMessage(key, message, timestamp, body)).join(" "),
  }
  return runtime.webhooks.post(url, headers, body)
}

const TURN_OFF = `
  UPDATE webhook_endpoint e SET turned_off_at = now() WHERE id = $1 AND turned_off_at IS NULL
    AND NOT EXISTS (SELECT FROM webhook_delivery s, webhook_delivery d
      WHERE d.id = $2 AND s.endpoint_id = e.id AND s.sent_at > d.created_at)`

/**
 * Turns an endpoint off and mails its managers when a message to it was given up and it received none meanwhile. Its other messages are
 * given up too. A test that it receives turns it on again.
 */
async function turnOff({ pool }: Runtime, { id, account_id: accountId, endpoint_id }: Delivery): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(TURN_OFF, [endpoint_id, id])
    if (!rowCount) return
    await client.query("UPDATE webhook_delivery SET next_at = NULL WHERE endpoint_id = $1 AND next_at IS NOT NULL", [
      endpoint_id,
    ])
    await queueMail(client, { accountId, kind: "webhook_turned_off", source: `webhook:${id}:off`, facts: {} })
  })
}

const TURN_ON = "UPDATE webhook_endpoint SET turned_off_at = NULL WHERE id = $1 AND turned_off_at IS NOT NULL"

/** Records that an endpoint received a message, which also turns it on. It may have been turned off while the message was sent. */
async function markDelivered({ pool }: Runtime, { id, endpoint_id }: Delivery): Promise<void> {
  await markSent(pool, TABLE, id)
  await pool.query(TURN_ON, [endpoint_id])
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
  if (isDelivered) return markDelivered(runtime, delivery)
  const reason = fault ?? String(status)
  log.info("A webhook was not delivered", { event: "webhook.failed", reason })
  if (attempts < MAX_ATTEMPTS) return
  await giveUp(pool, TABLE, id)
  await turnOff(runtime, delivery)
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
