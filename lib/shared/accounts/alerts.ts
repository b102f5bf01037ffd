import { z } from "zod"
import type { WebhookEvent } from "@/lib/shared/webhooks/events"
import { Events, type WebhookEndpoint } from "@/lib/shared/webhooks/schema"

/** Something that is reported to a member by mail, and to the account's webhooks and Slack addresses as an event. */
export interface Alert {
  label: string
  /** The kind of mail; null when none is offered to the member. */
  mail: string | null
  /** Null when there is only a mail. */
  event: WebhookEvent | null
}

export interface Alerts {
  alerts: Alert[]
  /** The kinds of mail that the member turned off. */
  muted: string[]
  /** Empty for a member who does not manage them. */
  endpoints: Pick<WebhookEndpoint, "id" | "kind" | "url" | "events">[]
}

/** The kinds of mail to turn off, and all events of each webhook and Slack address. */
export const SaveAlertsInput = z.strictObject({
  muted: z.array(z.string().max(40)).max(40),
  endpoints: z.array(z.strictObject({ id: z.string().max(40), events: Events })).max(10),
})
export type SaveAlertsInput = z.output<typeof SaveAlertsInput>
