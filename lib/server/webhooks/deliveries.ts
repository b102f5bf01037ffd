import { recordAudit } from "@/lib/server/audit/record-audit"
import { eventBody } from "@/lib/server/events/queue-event"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { WebhookType } from "@/lib/shared/webhooks/events"
import type { DeliveryInput, EndpointInput, WebhookDelivery } from "@/lib/shared/webhooks/schema"

const SHOWN = 50
/** Tests and resends of an account per hour. */
const MAX_BY_HAND = 30

/** An earlier release stored more kinds. */
const faultOf = (stored: string | null): WebhookDelivery["fault"] =>
  stored === null || stored === "secret" ? stored : "network"

const stateOf = ({ nextAt, sentAt }: { nextAt: Date | null; sentAt: Date | null }): WebhookDelivery["state"] => {
  if (nextAt) return "waiting"
  return sentAt ? "delivered" : "given_up"
}

/** Returns the account's 50 latest deliveries, newest first. Needs `webhooks.manage`. */
export async function listDeliveries(runtime: Runtime, actor: AccountActor): Promise<WebhookDelivery[]> {
  requireRight(actor, "webhooks.read")
  const deliveries = await prisma(runtime).webhookDelivery.findMany({
    where: { accountId: actor.accountId },
    omit: { body: true },
    include: { endpoint: { select: { url: true } } },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    take: SHOWN,
  })
  return deliveries.map((delivery) => ({
    id: publicId("msg", delivery.id),
    endpointId: publicId("whe", delivery.endpointId),
    url: delivery.endpoint.url,
    type: delivery.type as WebhookType,
    createdAt: delivery.createdAt.toISOString(),
    state: stateOf(delivery),
    attempts: delivery.attempts,
    status: delivery.lastStatus,
    fault: faultOf(delivery.lastFault),
    nextAt: delivery.nextAt?.toISOString() ?? null,
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
