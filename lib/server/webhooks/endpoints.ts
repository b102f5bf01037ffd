import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { type AccountActor, creatorOf, requireConfirmed, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/lib/shared/webhooks/events"
import {
  type CreateEndpointInput,
  type EndpointInput,
  type EndpointKind,
  NOT_PUBLIC,
  type WebhookEndpoint,
  type WebhookSecret,
} from "@/lib/shared/webhooks/schema"
import { isPublicAddress, literalAddress } from "./public-address"
import { newWebhookSecret, sealSlackAddress } from "./secret"

/** Of an account, of each kind. */
const MAX_ENDPOINTS = 5
const PLURALS: Record<EndpointKind, string> = { webhook: "webhooks", slack: "Slack addresses" }
/** For how long the previous secret signs too after a rotation. */
const OVERLAP_HOURS = 24

const noSuchEndpoint = () => new ServiceError("not_found", { message: "There is no such webhook." })

/** Returns the account's endpoints without their secrets, oldest first. Needs `webhooks.manage`. */
export async function listEndpoints(runtime: Runtime, actor: AccountActor): Promise<WebhookEndpoint[]> {
  requireRight(actor, "webhooks.read")
  const endpoints = await prisma(runtime).webhookEndpoint.findMany({
    where: { accountId: actor.accountId },
    omit: { secret: true, previousSecret: true },
    include: { creator: { select: { email: true } } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  })
  const now = new Date()
  return endpoints.map(({ id, kind, url, events, createdAt, creator, previousUntil, turnedOffAt }) => ({
    id: publicId("whe", id),
    kind: kind as EndpointKind,
    url,
    events: events as WebhookEvent[],
    createdAt: createdAt.toISOString(),
    createdBy: creator?.email ?? null,
    previousUntil: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
    turnedOffAt: turnedOffAt?.toISOString() ?? null,
  }))
}

/** Throws `invalid_request` for an IP address that is not public. What a name resolves to is checked with each delivery. */
function refusePrivate({ hostname }: URL): void {
  const literal = literalAddress(hostname)
  if (literal && !isPublicAddress(literal))
    throw new ServiceError("invalid_request", { param: "url", message: NOT_PUBLIC })
}

interface NewEndpoint {
  kind: EndpointKind
  /** What is shown and, of a webhook, called. */
  url: string
  events: WebhookEvent[]
  /** Encrypted. */
  secret: Buffer
}

/** Stores an endpoint and mails the owners. Returns its public id. Throws `rate_limited` for the 6th one of its kind. */
async function insertEndpoint({ pool }: Runtime, actor: AccountActor, endpoint: NewEndpoint): Promise<string> {
  const { kind, url, events, secret } = endpoint
  const { accountId } = actor
  const id = newId()
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId)
    const { rowCount } = await client.query("SELECT FROM webhook_endpoint WHERE account_id = $1 AND kind = $2", [
      accountId,
      kind,
    ])
    if ((rowCount ?? 0) >= MAX_ENDPOINTS)
      throw new ServiceError("rate_limited", {
        message: `An account can have ${MAX_ENDPOINTS} ${PLURALS[kind]}. Delete one that is not used.`,
      })
    // Before the row, so that the endpoint gets no message about itself.
    await recordAudit(client, actor, { action: `${kind}.create`, subject: publicId("whe", id) })
    await client.query(
      "INSERT INTO webhook_endpoint (id, account_id, kind, url, events, secret, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [id, accountId, kind, url, [...new Set(events)], secret, creatorOf(actor)],
    )
    await queueMail(client, { accountId, kind: `${kind}_created`, source: `webhook:${id}:created`, facts: {} })
  })
  return publicId("whe", id)
}

/**
 * Adds a Slack-compatible incoming address to the actor's account, and mails the owners. It is stored encrypted, and never returned:
 * members see its host and its last four characters. Throws what `createEndpoint` throws.
 */
export async function addSlackAddress(
  runtime: Runtime,
  actor: AccountActor,
  { url, events }: CreateEndpointInput,
): Promise<{ id: string }> {
  requireRight(actor, "webhooks.manage")
  requireConfirmed(actor, "addSlackAddress")
  const address = new URL(url)
  refusePrivate(address)
  const shown = `https://${address.host}/…${address.href.slice(-4)}`
  const secret = sealSlackAddress(runtime, address.href)
  return { id: await insertEndpoint(runtime, actor, { kind: "slack", url: shown, events, secret }) }
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
  const { shown, stored: secret } = newWebhookSecret(runtime)
  return {
    id: await insertEndpoint(runtime, actor, { kind: "webhook", url: address.href, events, secret }),
    secret: shown,
  }
}

/** Sets which events go to an endpoint of the actor's account. Returns whether that changed anything. Throws `not_found` for any other id. */
export async function setEvents(
  client: PoolClient,
  { accountId }: AccountActor,
  id: string,
  events: readonly WebhookEvent[],
): Promise<boolean> {
  const values = [parsePublicId("whe", id), accountId]
  const { rows } = await client.query<Row<"WebhookEndpoint", "events">>(
    "SELECT events FROM webhook_endpoint WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
    values,
  )
  const [row] = rows
  if (!row) throw noSuchEndpoint()
  const wanted = WEBHOOK_EVENT_NAMES.filter((event) => events.includes(event))
  if (wanted.length === row.events.length && wanted.every((event) => row.events.includes(event))) return false
  await client.query("UPDATE webhook_endpoint SET events = $3 WHERE id = $1 AND account_id = $2", [...values, wanted])
  return true
}

/** Ends the secret before the present one, so that messages have one signature. Does nothing when it has ended. */
export async function endOldSignatureIn(client: PoolClient, actor: AccountActor, id: string): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE webhook_endpoint SET previous_secret = NULL, previous_until = NULL
     WHERE id = $1 AND account_id = $2 AND previous_until > now()`,
    [parsePublicId("whe", id), actor.accountId],
  )
  if (rowCount) await recordAudit(client, actor, { action: "webhook.end_secret", subject: id })
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
 * Gives a webhook a new secret, which is returned once, and mails the owners. For 24 hours, messages are signed with both. Throws
 * `not_found` for a Slack address and another account's endpoint, and `confirmation_required`.
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
         previous_by = CASE WHEN rotated_at IS NULL THEN created_by ELSE rotated_by END,
         previous_at = coalesce(rotated_at, created_at), rotated_at = now(), rotated_by = $4
       WHERE id = $1 AND account_id = $2 AND kind = 'webhook'`,
      [parsePublicId("whe", id), actor.accountId, stored, creatorOf(actor)],
    )
    if (!rowCount) throw noSuchEndpoint()
    await recordAudit(client, actor, { action: "webhook.rotate", subject: id })
    const source = `webhook:${id}:rotated:${newId()}`
    await queueMail(client, { accountId: actor.accountId, kind: "webhook_rotated", source, facts: {} })
  })
  return { id, secret: shown }
}
