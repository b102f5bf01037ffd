import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { type AccountActor, creatorOf, requireConfirmed, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import {
  type CreateEndpointInput,
  type EndpointInput,
  NOT_PUBLIC,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookSecret,
} from "@/lib/shared/webhooks/schema"
import { isPublicAddress, literalAddress } from "./public-address"
import { newWebhookSecret } from "./secret"

const MAX_ENDPOINTS = 5
/** For how long the previous secret signs too after a rotation. */
const OVERLAP_HOURS = 24

const noSuchEndpoint = () => new ServiceError("not_found", { message: "There is no such webhook." })

/** Returns the account's endpoints without their secrets, oldest first. Needs `webhooks.manage`. */
export async function listEndpoints(runtime: Runtime, actor: AccountActor): Promise<WebhookEndpoint[]> {
  requireRight(actor, "webhooks.manage")
  const endpoints = await prisma(runtime).webhookEndpoint.findMany({
    where: { accountId: actor.accountId },
    omit: { secret: true, previousSecret: true },
    include: { creator: { select: { email: true } } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  })
  const now = new Date()
  return endpoints.map(({ id, url, events, createdAt, creator, previousUntil }) => ({
    id: publicId("whe", id),
    url,
    events: events as WebhookEvent[],
    createdAt: createdAt.toISOString(),
    createdBy: creator?.email ?? null,
    previousUntil: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
  }))
}

/** Throws `invalid_request` for an IP address that is not public. What a name resolves to is checked with each delivery. */
function refusePrivate({ hostname }: URL): void {
  const literal = literalAddress(hostname)
  if (literal && !isPublicAddress(literal))
    throw new ServiceError("invalid_request", { param: "url", message: NOT_PUBLIC })
}

/**
 * Adds an endpoint to the actor's account, and mails the owners. The returned secret is the only copy in plain text. Throws
 * `invalid_request` for an IP address that is not public, `rate_limited` for the 6th endpoint, `forbidden` for a suspended or closed
 * account, and `confirmation_required`.
 */
export async function createEndpoint(
  runtime: Runtime,
  actor: AccountActor,
  { url, events }: CreateEndpointInput,
): Promise<WebhookSecret> {
  requireRight(actor, "webhooks.manage")
  requireConfirmed(actor, "createEndpoint")
  const address = new URL(url)
  refusePrivate(address)
  const id = newId()
  const { shown, stored } = newWebhookSecret(runtime)
  await inTransaction(runtime.pool, async (client) => {
    await lockAccount(client, actor.accountId)
    const { rowCount } = await client.query("SELECT FROM webhook_endpoint WHERE account_id = $1", [actor.accountId])
    if ((rowCount ?? 0) >= MAX_ENDPOINTS)
      throw new ServiceError("rate_limited", {
        message: `An account can have ${MAX_ENDPOINTS} webhooks. Delete one that is not used.`,
      })
    await client.query(
      "INSERT INTO webhook_endpoint (id, account_id, url, events, secret, created_by) VALUES ($1, $2, $3, $4, $5, $6)",
      [id, actor.accountId, address.href, [...new Set(events)], stored, creatorOf(actor)],
    )
    await recordAudit(client, actor, { action: "webhook.create", subject: publicId("whe", id) })
    await queueMail(client, {
      accountId: actor.accountId,
      kind: "webhook_created",
      source: `webhook:${id}:created`,
      facts: {},
    })
  })
  return { id: publicId("whe", id), secret: shown }
}

/** Does what `deleteEndpoint` does, in the transaction of `client`. */
export async function deleteEndpointIn(client: PoolClient, actor: AccountActor, id: string): Promise<void> {
  const values = [parsePublicId("whe", id), actor.accountId]
  // Locks the endpoint first, so that no event queues another delivery.
  const { rowCount } = await client.query(
    "SELECT FROM webhook_endpoint WHERE id = $1 AND account_id = $2 FOR UPDATE",
    values,
  )
  if (!rowCount) throw noSuchEndpoint()
  await client.query("DELETE FROM webhook_delivery WHERE endpoint_id = $1 AND account_id = $2", values)
  await client.query("DELETE FROM webhook_endpoint WHERE id = $1 AND account_id = $2", values)
  await recordAudit(client, actor, { action: "webhook.delete", subject: id })
}

/** Deletes an endpoint of the actor's account with its deliveries. Throws `not_found` for any other id. */
export async function deleteEndpoint(
  { pool }: Runtime,
  actor: AccountActor,
  { id }: EndpointInput,
): Promise<{ id: string }> {
  requireRight(actor, "webhooks.manage")
  await inTransaction(pool, (client) => deleteEndpointIn(client, actor, id))
  return { id }
}

/**
 * Gives an endpoint a new secret, which is returned once. For 24 hours, messages are signed with both. Throws `not_found` for
 * another account's endpoint, and `confirmation_required`.
 */
export async function rotateSecret(
  runtime: Runtime,
  actor: AccountActor,
  { id }: EndpointInput,
): Promise<WebhookSecret> {
  requireRight(actor, "webhooks.manage")
  requireConfirmed(actor, "rotateSecret")
  const { shown, stored } = newWebhookSecret(runtime)
  await inTransaction(runtime.pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE webhook_endpoint
       SET previous_secret = secret, previous_until = now() + interval '${OVERLAP_HOURS} hours', secret = $3,
         rotated_at = now(), rotated_by = $4
       WHERE id = $1 AND account_id = $2`,
      [parsePublicId("whe", id), actor.accountId, stored, creatorOf(actor)],
    )
    if (!rowCount) throw noSuchEndpoint()
    await recordAudit(client, actor, { action: "webhook.rotate", subject: id })
  })
  return { id, secret: shown }
}
