import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type {
  DeliveryInput,
  EndpointInput,
  WebhookDelivery,
  WebhookFault,
  WebhookType,
} from "@/lib/shared/webhooks/schema"
import { eventBody } from "./queue-event"

const SHOWN = 50
/** Tests and resends of an account per hour. */
const MAX_BY_HAND = 30

interface Row {
  id: string
  endpoint_id: string
  url: string
  type: WebhookType
  created_at: Date
  attempts: number
  next_at: Date | null
  sent_at: Date | null
  last_status: number | null
  last_fault: WebhookFault | null
}

const SELECT = `
  SELECT d.id, d.endpoint_id, e.url, d.type, d.created_at, d.attempts, d.next_at, d.sent_at, d.last_status, d.last_fault
  FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
  WHERE d.account_id = $1 ORDER BY d.created_at DESC, d.id LIMIT ${SHOWN}`

const stateOf = ({ next_at, sent_at }: Row): WebhookDelivery["state"] => {
  if (next_at) return "waiting"
  return sent_at ? "delivered" : "given_up"
}

/** Returns the account's 50 latest deliveries, newest first. Needs `webhooks.manage`. */
export async function listDeliveries({ pool }: Runtime, actor: AccountActor): Promise<WebhookDelivery[]> {
  requireRight(actor, "webhooks.manage")
  const { rows } = await pool.query<Row>(SELECT, [actor.accountId])
  return rows.map((row) => ({
    id: publicId("msg", row.id),
    endpointId: publicId("whe", row.endpoint_id),
    url: row.url,
    type: row.type,
    createdAt: row.created_at.toISOString(),
    state: stateOf(row),
    attempts: row.attempts,
    status: row.last_status,
    fault: row.last_fault,
    nextAt: row.next_at?.toISOString() ?? null,
  }))
}

const BY_HAND = `
  SELECT count(*)::int AS count FROM audit_event
  WHERE account_id = $1 AND action IN ('webhook.test', 'webhook.resend') AND created_at > now() - interval '1 hour'`

/**
 * Runs `sql` and writes the audit entry. Throws `rate_limited` when the account sent too many messages by hand, so that nobody floods a
 * receiver through the service. Throws `not_found` when `sql` changes no row.
 */
async function byHand(
  { pool }: Runtime,
  actor: AccountActor,
  id: string,
  action: "webhook.test" | "webhook.resend",
  sql: string,
  values: unknown[],
) {
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    const { rows } = await client.query<{ count: number }>(BY_HAND, [actor.accountId])
    if ((rows[0]?.count ?? 0) >= MAX_BY_HAND)
      throw new ServiceError("rate_limited", { message: `Send at most ${MAX_BY_HAND} messages by hand in an hour.` })
    const { rowCount } = await client.query(sql, values)
    if (!rowCount) throw new ServiceError("not_found", { message: "There is nothing to send, or it is being sent." })
    await recordAudit(client, actor, { action, subject: id })
  })
}

/** Queues a message of the type `webhook.test` to an endpoint of the account. Throws `not_found` and `rate_limited`. */
export async function testEndpoint(
  runtime: Runtime,
  actor: AccountActor,
  { id }: EndpointInput,
): Promise<{ id: string }> {
  requireRight(actor, "webhooks.manage")
  const [message, body] = [newId(), eventBody("webhook.test", { account_id: publicId("acc", actor.accountId) })]
  await byHand(
    runtime,
    actor,
    id,
    "webhook.test",
    `INSERT INTO webhook_delivery (id, account_id, endpoint_id, type, source, body)
     SELECT $3::uuid, account_id, id, 'webhook.test', 'test:' || $3::text, $4
     FROM webhook_endpoint WHERE id = $1 AND account_id = $2 FOR KEY SHARE`,
    [parsePublicId("whe", id), actor.accountId, message, body],
  )
  return { id: publicId("msg", message) }
}

/**
 * Sends a delivered or given-up message again, with the same id and body. Throws `not_found` for one that waits already and for
 * another account's, and `rate_limited`.
 */
export async function resendDelivery(
  runtime: Runtime,
  actor: AccountActor,
  { id }: DeliveryInput,
): Promise<{ id: string }> {
  requireRight(actor, "webhooks.manage")
  await byHand(
    runtime,
    actor,
    id,
    "webhook.resend",
    `UPDATE webhook_delivery SET next_at = now(), attempts = 0, sent_at = NULL
     WHERE id = $1 AND account_id = $2 AND next_at IS NULL`,
    [parsePublicId("msg", id), actor.accountId],
  )
  return { id }
}
