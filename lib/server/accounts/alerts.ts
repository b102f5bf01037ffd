import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { NOTICE_KINDS, NOTICES } from "@/lib/server/mail/notices"
import { hasRight, requireRight, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { listEndpoints, setEvents } from "@/lib/server/webhooks/endpoints"
import type { Alert, Alerts, SaveAlertsInput } from "@/lib/shared/accounts/alerts"
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from "@/lib/shared/webhooks/events"
import { readMailSettings } from "./mail-settings"

/**
 * Returns where each alert goes: the mails that the user's role gets and that can be turned off, and the events of the account's webhooks
 * and Slack addresses, for members who manage those. A mail and an event of one cause are one alert, as `event` in `NOTICES` says.
 */
export async function readAlerts(runtime: Runtime, actor: UserActor): Promise<Alerts> {
  const { mails } = await readMailSettings(runtime, actor)
  const mayManage = hasRight(actor, "webhooks.manage")
  const endpoints = mayManage ? await listEndpoints(runtime, actor) : []
  const eventOf = ({ kind }: { kind: string }) =>
    NOTICE_KINDS.includes(kind as never) ? NOTICES[kind as keyof typeof NOTICES].event : undefined
  const ofMails = mails.map((mail): Alert => ({ label: mail.label, mail: mail.kind, event: eventOf(mail) ?? null }))
  const ofEvents = WEBHOOK_EVENT_NAMES.filter((event) => ofMails.every((alert) => alert.event !== event)).map(
    (event): Alert => ({ label: WEBHOOK_EVENTS[event], mail: null, event }),
  )
  const reaches = ({ mail, event }: Alert) => mail !== null || (event !== null && endpoints.length > 0)
  return {
    alerts: [...ofMails.filter(({ event }) => event), ...ofMails.filter(({ event }) => !event), ...ofEvents].filter(
      reaches,
    ),
    muted: mails.flatMap(({ kind, isWanted }) => (isWanted ? [] : [kind])),
    endpoints: endpoints.map(({ id, kind, url, events }) => ({ id, kind, url, events })),
  }
}

const MUTE = "UPDATE member SET muted_mail = $3 WHERE account_id = $1 AND user_id = $2"

/**
 * Turns mails of this account off for the user, all others on, and sets which events go to each webhook and Slack address that is named.
 * Throws `forbidden` for those without `webhooks.manage`, and `not_found` for another account's. What a user mutes has no audit entry,
 * because only they see the effect.
 */
export async function saveAlerts(
  { pool }: Runtime,
  actor: UserActor,
  { muted, endpoints }: SaveAlertsInput,
): Promise<void> {
  requireRight(actor, "account.read")
  if (endpoints.length > 0) requireRight(actor, "webhooks.manage")
  const known = NOTICE_KINDS.filter((kind) => !NOTICES[kind].isSecurity && muted.includes(kind))
  await inTransaction(pool, async (client: PoolClient) => {
    await client.query(MUTE, [actor.accountId, actor.userId, known])
    // In one order, so that two members who save at the same time never wait for each other.
    for (const { id, events } of endpoints.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
      if (await setEvents(client, actor, id, events))
        await recordAudit(client, actor, { action: "webhook.events", subject: id })
  })
}
